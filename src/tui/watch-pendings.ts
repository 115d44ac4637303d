import type { App } from './app.ts'
import { launchModal } from './modals/launch.ts'
import { planModal } from './modals/plan.ts'
import { sendQueued } from './tasks/send-message.ts'

/** Work shorter than this ends without a sound. */
const LONG_MS = 10_000

/**
 * What opens by itself: a new plan, a run to approve. Not while somebody writes: the next key is meant for the input.
 * Rings when a long run ends or waits.
 */
export function watchPendings(app: App): void {
  const shown = new Set<string>()
  let since: number | undefined
  let worked = app.view.under_way !== null
  app.onEnvelope = () => {
    const { pendings, plan, under_way } = app.view
    const working = under_way !== null
    const free = !app.ui.modal && app.editor.getText() === ''
    if (under_way) since = Date.parse(under_way.since)
    const [waiting] = pendings
    if (waiting && !shown.has(waiting.pending.id)) {
      shown.add(waiting.pending.id)
      ring(app, since, `${waiting.agent_id ?? 'conclave'} waits for you`)
      if (waiting.pending.kind === 'run_approval' && free) {
        app.dispatch({ type: 'open_modal', modal: launchModal(waiting.pending) })
      }
    }
    const key = plan && `${plan.plan_id}:${plan.revision}`
    if (plan?.status === 'proposed' && key && !working && !shown.has(key)) {
      shown.add(key)
      if (free) app.dispatch({ type: 'open_modal', modal: planModal(plan) })
    }
    if (worked && !working) {
      ring(app, since, 'conclave is done')
      void sendQueued(app)
    }
    worked = working
  }
}

/** A bell, and a notification where the terminal knows OSC 9. The words are ours: nothing from outside is in them. */
function ring(app: App, since: number | undefined, words: string): void {
  if (since === undefined || Date.now() - since < LONG_MS) return
  app.tui.terminal.write(`\u0007\u001b]9;${words.replaceAll(/[^\w .-]/g, '')}\u0007`)
}
