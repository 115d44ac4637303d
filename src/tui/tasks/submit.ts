import type { App } from '../app.ts'
import { runSlashCommand } from '../commands/run-slash-command.ts'
import { answerInWords, refuse } from '../screen/card-model.ts'
import { runShell } from './run-shell.ts'
import { sendMessage } from './send-message.ts'

/** What Enter does with the text of the input: a command, an answer, a correction or a message. */
export async function submit(app: App, text: string): Promise<void> {
  const said = text.trim()
  if (said === '') return
  const { pictures } = app.editor
  const shows = pictures.in(said).length > 0
  if (shows && isAnswer(app, said)) {
    app.editor.setText(said)
    return app.dispatch({
      type: 'say',
      text: 'An answer takes no picture: take it out, or Alt+Enter sends this as a message when the work is done',
      tone: 'error',
    })
  }
  app.host?.remember(pictures.spellOut(said))
  app.editor.addToHistory(said)
  if (answerCard(app, said)) return
  if (said.startsWith('/') && !said.startsWith('//')) {
    const [name = '', ...rest] = said.slice(1).split(' ')
    return runSlashCommand(app, name, rest.join(' '))
  }
  if (said.startsWith('!')) return runShell(app, said.slice(1))
  if (answerPending(app, said)) return
  if (app.view.under_way && shows)
    return queue(app, said, 'Pictures go with a new message: this is sent when the work is done')
  if (app.view.under_way) return steer(app, said)
  await sendMessage(app, said)
}

/** What was written for the card that waits: a reason, or the call as the person would have it. */
function answerCard(app: App, text: string): boolean {
  const [waiting] = app.view.pendings
  const { writing, pending_id } = app.ui.card
  if (!writing || !waiting) return false
  const { pending, stream } = waiting
  if (pending.id !== pending_id || pending.kind !== 'tool_approval') return false
  const answer = refuse(pending, writing, text)
  app.dispatch({ type: 'write_for_card', pending_id: pending.id, what: undefined })
  if (answer) app.dispatch({ type: 'answer', stream, pending_id: pending.id, answer })
  else app.dispatch({ type: 'say', text: 'Nothing was changed: y lets it run as it is' })
  return true
}

/** Whether words would go to what waits for the person, rather than become a message. */
function isAnswer({ ui, view: { pendings } }: App, text: string): boolean {
  const pending = pendings[0]?.pending
  if (!pending) return false
  if (ui.card.writing !== undefined && ui.card.pending_id === pending.id) return true
  return !/^[/!]/.test(text) && answerInWords(pending, text) !== undefined
}

function answerPending(app: App, text: string): boolean {
  const [waiting] = app.view.pendings
  const answer = waiting && answerInWords(waiting.pending, text)
  if (!waiting || !answer) return false
  app.dispatch({ type: 'answer', stream: waiting.stream, pending_id: waiting.pending.id, answer })
  return true
}

/**
 * Words while an agent works reach it at its next step. In a team the agent whose tab is shown is told; with none shown
 * the words wait until the team is done.
 */
async function steer(app: App, text: string): Promise<void> {
  const { under_way, agents } = app.view
  const shown = agents.find(({ agent_id }) => agent_id === app.scene.watching)
  const turn_id = under_way?.kind === 'turn' ? under_way.turn_id : shown?.turn_id
  if (!turn_id) {
    const hint = shown
      ? `${shown.agent_id} is not working now`
      : "A team is at work (open an agent's tab to tell it now)"
    return queue(app, text, `${hint}: this is sent when it is done`)
  }
  const told = await app.session?.execute({ type: 'give_guidance', turn_id, text })
  if (told && !told.accepted) queue(app, text, `${told.reason}: this is sent when the work is done`)
}

const queue = (app: App, text: string, say: string): void =>
  app.dispatch({ type: 'queue', messages: [...app.ui.queue, text] }, { type: 'say', text: say })
