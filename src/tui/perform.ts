import type { App } from './app.ts'
import { runSlashCommand } from './commands/run-slash-command.ts'
import { handleModalKey } from './handle-input.ts'
import { launchModal } from './modals/launch.ts'
import { overrideModal } from './modals/override.ts'
import { planModal } from './modals/plan.ts'
import type { Intent } from './state/action.ts'
import { attachPictures } from './tasks/attach-pictures.ts'
import { compare } from './tasks/compare.ts'
import { copyText } from './tasks/copy-text.ts'
import { executePlan, rejectPlan, revisePlan } from './tasks/decide-plan.ts'
import { explainModes } from './tasks/explain-modes.ts'
import { find } from './tasks/find.ts'
import { interrupt } from './tasks/interrupt.ts'
import { readAnswer } from './tasks/read-answer.ts'
import { report } from './tasks/report.ts'
import { pickMessage, rewind } from './tasks/rewind.ts'
import { searchChats } from './tasks/search-chats.ts'
import { submit } from './tasks/submit.ts'
import { tabCommand } from '../view/mode-bar.ts'

/** Does what an intent asks for. What is refused is said in the line above the mode bar. */
export async function perform(app: App, intent: Intent): Promise<void> {
  // What is asked for while the rest is being loaded is done as soon as that is there.
  if (!app.session && !atOnce.has(intent.type)) await app.live
  switch (intent.type) {
    case 'submit':
      return submit(app, intent.text)
    case 'run_command':
      return runSlashCommand(app, intent.name, intent.rest)
    case 'toggle':
      return toggle(app, intent.id)
    case 'command':
      return report(app, await app.session?.execute(intent.command))
    case 'pick_agent':
      return pickAgent(app, intent.agent_id)
    case 'explain_modes':
      return explainModes(app)
    case 'answer': {
      const { stream, pending_id, answer } = intent
      const command = { type: 'answer_pending', turn_id: stream, pending_id, answer, by: 'terminal' } as const
      return report(app, await app.session?.execute(command))
    }
    case 'open_pending':
      return openPending(app)
    case 'open_plan':
      if (app.view.plan) app.dispatch({ type: 'open_modal', modal: planModal(app.view.plan) })
      else app.dispatch({ type: 'say', text: 'There is no plan in this chat' })
      return
    case 'execute_plan':
      return executePlan(app)
    case 'revise_plan':
      return revisePlan(app)
    case 'reject_plan':
      return rejectPlan(app)
    case 'open_chat':
      await app.session?.open(intent.chat_id)
      return app.dispatch({ type: 'show_chat' })
    case 'rewind':
      return rewind(app, app.editor.pictures.restore(intent.text, intent.pictures ?? []), intent.at)
    case 'pick_message':
      return pickMessage(app, intent.after)
    case 'modal_key':
      return handleModalKey(app, { name: intent.key })
    case 'find':
      return find(app, intent.query, intent.direction)
    case 'copy':
      return copyText(app, intent.text)
    case 'fill_input':
      return app.editor.setText(intent.text)
    case 'edit_call':
      app.editor.setText(intent.text)
      return app.dispatch({ type: 'write_for_card', pending_id: intent.pending_id, what: 'edit' })
    case 'compare':
      return compare(app, intent.run_id, intent.labels)
    case 'attach':
      return attachPictures(app, intent.source)
    case 'read_answer':
      return readAnswer(app, intent.run_id, intent.label)
    case 'search_chats':
      return searchChats(app, intent.query)
    case 'interrupt':
      return interrupt(app)
    case 'quit':
      return app.quit()
  }
}

const atOnce: ReadonlySet<Intent['type']> = new Set(['submit', 'modal_key', 'fill_input', 'quit'])

async function toggle(app: App, id: string): Promise<void> {
  const found = app.scene.toggles.find((one) => one.id === id)
  if (!found) return
  if (found.enabled && found.command) return report(app, await app.session?.execute(found.command))
  if (!found.confirm)
    return app.dispatch({ type: 'say', text: `${found.label}: ${found.reason ?? 'cannot be changed'}` })
  const { question, command } = found.confirm
  app.dispatch({
    type: 'open_modal',
    modal: {
      kind: 'confirm',
      title: 'Switch to Plan mode',
      lines: [question, 'What was done so far stays; the turn ends here.'],
      yes: { label: 'Stop and switch', action: { type: 'command', command } },
      no: 'Go on working',
      cursor: 1,
    },
  })
}

/** In single mode a tab chooses who answers; while a team works it shows that agent's work. */
async function pickAgent(app: App, agent_id: string): Promise<void> {
  const again = app.watched === agent_id
  app.watched = again || app.scene.mode.agent_mode === 'single' ? undefined : agent_id
  if (!again) app.dispatch({ type: 'show_team', shown: false })
  app.dispatch({ type: 'scroll_to', end: 'bottom' })
  const command = tabCommand(app.scene.mode, app.view.chat_id, agent_id)
  if (command) report(app, await app.session?.execute(command))
}

function openPending(app: App): void {
  const [waiting] = app.view.pendings
  if (waiting?.pending.kind === 'override') {
    app.dispatch({ type: 'open_modal', modal: overrideModal(waiting.pending) })
  } else if (waiting?.pending.kind === 'run_approval') {
    app.dispatch({ type: 'open_modal', modal: launchModal(waiting.pending) })
  } else if (app.view.plan?.status === 'proposed') {
    app.dispatch({ type: 'open_plan' })
  }
}
