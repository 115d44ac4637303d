import type { App } from './app.ts'
import { editOutside } from './tasks/edit-outside.ts'
import { interrupt } from './tasks/interrupt.ts'
import { pickHistory } from './tasks/pick-history.ts'
import { suspend } from './tasks/suspend.ts'

/** How soon the second Ctrl+C or Esc must follow the first. */
const TWICE_MS = 2000

/** Keys that do more than change the screen. */
export function handleKeys(app: App): void {
  let lastQuit = -Infinity
  let lastEscape = -Infinity
  const now = () => performance.now()
  app.onKey = (name, { completing }) => {
    const empty = app.editor.getText() === ''
    const again = app.lastKey === name
    switch (name) {
      case 'ctrl+c':
        if (!empty) {
          app.editor.setText('')
          lastQuit = -Infinity
        } else if (again && now() - lastQuit < TWICE_MS) app.quit()
        else {
          lastQuit = now()
          app.dispatch({ type: 'say', text: 'Press Ctrl+C again to leave' })
        }
        return true
      case 'ctrl+d':
        if (!empty) return false
        app.quit()
        return true
      case 'escape': {
        if (completing || app.ui.search || isWriting(app)) return false
        if (app.ui.looking !== undefined) {
          app.stopLooking()
          return true
        }
        if (app.ui.inside.length > 0) {
          app.dispatch({ type: 'look_inside', agent: undefined })
          return true
        }
        if (app.view.under_way) {
          void interrupt(app)
          return true
        }
        const second = again && now() - lastEscape < TWICE_MS
        lastEscape = second ? -Infinity : now()
        if (second) app.dispatch({ type: 'pick_message', after: 0 })
        else if (app.session?.chat)
          app.dispatch({ type: 'say', text: 'Esc again goes back to an earlier message' })
        return true
      }
      case 'ctrl+l':
        app.redraw()
        return true
      case 'ctrl+r':
        void pickHistory(app)
        return true
      case 'ctrl+g':
        void editOutside(app)
        return true
      case 'ctrl+z':
        suspend(app)
        return true
      case 'alt+enter': {
        const text = app.editor.getExpandedText().trim()
        if (!app.view.under_way || text === '') return false
        app.editor.setText('')
        app.dispatch({ type: 'queue', messages: [...app.ui.queue, text] })
        return true
      }
      default:
        return false
    }
  }
}

/** What is in the input is for the card: Esc is too. */
const isWriting = ({ ui, view }: App): boolean =>
  ui.card.writing !== undefined && ui.card.pending_id === view.pendings[0]?.pending.id
