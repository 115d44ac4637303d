import type { App } from './app.ts'
import { pastedImage } from './input/pasted-image.ts'
import { readKey } from './input/read-key.ts'
import { mainKey } from './keys.ts'
import { modalKey } from './modals/draw-modal.ts'
import type { Key } from './modals/modal-key.ts'
import { reduce } from './state/reduce.ts'

/** One key or paste: for the modal, for the screen, or else for the input. */
export function handleInput(app: App, data: string): void {
  const key = readKey(data)
  if (app.ui.saying) app.ui = reduce(app.ui, { type: 'hush' })
  if (app.ui.modal) handleModalKey(app, key)
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
    const image = key.name === 'paste' ? pastedImage(key.text ?? '') : undefined
    if (actions) app.dispatch(...actions)
    else if (image) app.dispatch({ type: 'paste_image', image })
    else app.editor.handleInput(data)
  }
  app.refresh()
}

/** A button of the modal is a key of it. */
export function handleModalKey(app: App, key: Key): void {
  const { modal } = app.ui
  if (!modal) return
  if (key.name === 'ctrl+c') return app.dispatch({ type: 'close_modal' })
  const { modal: next, actions } = modalKey(modal, app.scene, key)
  app.ui = { ...app.ui, modal: next }
  app.dispatch(...actions)
}

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
