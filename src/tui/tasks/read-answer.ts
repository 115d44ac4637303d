import type { RunId } from '../../schema/ids.ts'
import { getKey } from '../../view/keyed.ts'
import type { App } from '../app.ts'

/** An answer of the team from its first word to its last. */
export function readAnswer(app: App, run_id: RunId, label: string): void {
  const { run: newest, inner } = app.view
  const { agents = [] } = (newest?.run_id === run_id ? newest : getKey(inner.runs, run_id)) ?? {}
  for (const { agent_id, answers } of agents) {
    const answer = answers.find((one) => one.label === label)
    if (!answer) continue
    const { modal } = app.ui
    const lines = answer.text.split('\n').map((text) => ({ text }))
    const back = modal?.kind === 'override' && { back: modal }
    return app.dispatch({
      type: 'open_modal',
      modal: { kind: 'page', title: `${agent_id} ${label}`, lines, scroll: 0, ...back },
    })
  }
  app.dispatch({ type: 'say', text: `${label} is not known here`, tone: 'error' })
}
