import type { App } from './app.ts'
import { type PictureSource, pastedPictures } from './input/pasted-pictures.ts'
import { readKey } from './input/read-key.ts'
import { mainKey } from './keys.ts'
import { modalKey } from './modals/draw-modal.ts'
import { launches } from './modals/launch.ts'
import type { Key } from './modals/modal-key.ts'
import { reduce } from './state/reduce.ts'

/** One key or paste: for the modal, for the screen, or else for the input. */
export function handleInput(app: App, data: string): void {
  const key = readKey(data)
  if (app.ui.saying) app.ui = reduce(app.ui, { type: 'hush' })
  if (app.ui.modal) handleModalKey(app, key)
  else if (app.editor.held && !whileHeld.has(key.name)) app.editor.held.push(data)
  else if (!handleGlobalKey(app, key)) {
    const actions = mainKey(key, {
      ui: app.ui,
      scene: app.scene,
      card: app.frame?.card,
      empty: app.editor.getText() === '',
      completing: app.editor.isShowingAutocomplete(),
      page: app.frame?.transcript.height ?? 10,
      fresh: app.isFresh(),
    })
    const source = actions ? undefined : picturesOf(key)
    if (actions) app.dispatch(...actions)
    else if (source) {
      app.editor.held = []
      app.dispatch({ type: 'attach', source })
    } else app.editor.handleInput(data)
  }
  app.lastKey = key.name
  app.refresh()
}

/** A button of the modal is a key of it. */
export function handleModalKey(app: App, key: Key): void {
  const { modal } = app.ui
  if (!modal) return
  if (key.name === 'ctrl+c') return app.dispatch({ type: 'close_modal' })
  if (app.isFresh() && modal.kind === 'launch' && launches(modal, key))
    return app.dispatch({ type: 'say', text: 'This has just appeared: look at it, then press again' })
  const { modal: next, actions } = modalKey(modal, app.scene, key, app.frame?.most ?? 0)
  app.ui = { ...app.ui, modal: next }
  app.dispatch(...actions)
}

/** An empty paste is what some terminals make of a picture on the clipboard. */
function picturesOf({ name, text = '' }: Key): PictureSource | undefined {
  if (name === 'ctrl+v' || (name === 'paste' && text === '')) return { kind: 'clipboard' }
  return name === 'paste' ? pastedPictures(text) : undefined
}

/** Keys that do not wait for a picture that is on its way into the input. */
const whileHeld: ReadonlySet<string> = new Set(['ctrl+c', 'escape', 'ctrl+l', 'ctrl+z', 'pageUp', 'pageDown'])

const globalKeys: ReadonlySet<string> = new Set([
  'ctrl+c',
  'escape',
  'ctrl+l',
  'ctrl+g',
  'ctrl+r',
  'ctrl+z',
  'alt+enter',
  'ctrl+d',
])

const handleGlobalKey = (app: App, { name }: Key): boolean =>
  globalKeys.has(name) && app.onKey(name, { completing: app.editor.isShowingAutocomplete() })
