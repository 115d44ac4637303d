import type { RunId } from '../../schema/ids.ts'
import { getKey } from '../../view/keyed.ts'
import type { RunView } from '../../view/run-view.ts'
import type { App } from '../app.ts'
import type { Candidate } from '../state/modal.ts'

/** Opens the newest answers of a run side by side: those named, or else the winner and the first other. */
export async function compare(app: App, run_id: RunId, labels?: [string, string]): Promise<void> {
  const { run: last, inner } = app.view
  const run = last?.run_id === run_id ? last : getKey(inner.runs, run_id)
  const answers = (run?.agents ?? []).flatMap(({ agent_id, answers: own }) => {
    const newest = own.at(-1)
    return newest ? [{ agent: agent_id, label: newest.label }] : []
  })
  if (!run || answers.length < 2)
    return app.dispatch({ type: 'say', text: 'There are no two answers to compare yet' })
  const candidates = await Promise.all(
    answers.map(async (answer): Promise<Candidate> => ({
      ...answer,
      diff: await app.host?.client.diff(run_id, answer.label),
    })),
  )
  const [left, right] = (labels ?? usual(run, candidates)).map((label) =>
    candidates.findIndex((candidate) => candidate.label === label),
  )
  if (left === undefined || right === undefined || left < 0 || right < 0)
    return app.dispatch({
      type: 'say',
      text: `answers: ${answers.map(({ label }) => label).join(', ')}`,
      tone: 'error',
    })
  const missing = candidates.filter(({ diff }) => diff === undefined).map(({ label }) => label)
  const { modal } = app.ui
  const back = modal?.kind === 'override' ? modal : undefined
  app.dispatch({
    type: 'open_modal',
    modal: { kind: 'compare', candidates, left, right, scroll: 0, ...(back && { back }) },
  })
  if (missing.length > 0)
    app.dispatch({
      type: 'say',
      text: `what ${missing.join(', ')} changed is not known any more`,
      tone: 'error',
    })
}

function usual({ winner }: RunView, candidates: readonly Candidate[]): [string, string] {
  const first = candidates.find(({ agent }) => agent === winner) ?? candidates[0]
  const second = candidates.find((candidate) => candidate !== first)
  return [first?.label ?? '', second?.label ?? '']
}
