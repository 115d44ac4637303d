import type { TuiMouseEvent } from '@earendil-works/pi-tui'
import type { App } from './app.ts'
import { hitAt } from './draw/block.ts'
import { handleModalKey } from './handle-input.ts'
import { take } from './keys.ts'
import type { Frame } from './screen/frame.ts'
import type { Action } from './state/action.ts'
import { reduce } from './state/reduce.ts'

/** What is under the pointer does what it says; a press that meets nothing is left to the selection of text. */
export function handleMouse(
  app: App,
  event: TuiMouseEvent,
): { handled: boolean; render?: boolean } | undefined {
  const drawn = app.frame
  if (!drawn) return undefined
  if (event.type === 'wheel') {
    const lines = event.wheelDelta ?? 0
    if (drawn.modal) handleModalKey(app, { name: lines < 0 ? 'up' : 'down' })
    else app.dispatch({ type: 'scroll', lines })
    return { handled: true }
  }
  const action = hitAt({ lines: [], hits: drawn.hits }, event.x, event.y)
  if (event.type === 'move') return hover(app, action)
  if (event.type === 'click' && event.button === 'left') {
    click(app, event, action, drawn)
    return { handled: true }
  }
  const inInput = event.y >= drawn.input.row && event.y < drawn.input.row + drawn.input.height
  return event.type === 'press' && (action || drawn.modal || inInput)
    ? { handled: true, render: false }
    : undefined
}

function click(app: App, event: TuiMouseEvent, action: Action | undefined, drawn: Frame): void {
  const { card, input, modal } = drawn
  if (app.ui.saying) app.ui = reduce(app.ui, { type: 'hush' })
  app.lastKey = undefined
  const choice = action && !modal && card ? card.model.choices.findIndex((one) => one.action === action) : -1
  if (choice >= 0 && card) app.dispatch(...take(card, choice, { fresh: app.isFresh() }))
  else if (action) app.dispatch(action)
  else if (!modal && event.y >= input.row && event.y < input.row + input.height) {
    app.editor.handleMouse({ ...event, x: event.x - 2, y: event.y - input.row + 1 })
  }
  app.refresh()
}

function hover(app: App, action: Action | undefined): { handled: boolean; render: boolean } {
  const toggle = action?.type === 'toggle' ? action.id : undefined
  const about = toggle && app.scene.toggles.find(({ id }) => id === toggle)?.description
  const changed = about !== app.hover
  app.hover = about
  return { handled: true, render: changed }
}
