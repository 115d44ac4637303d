import type { RunId } from '../../schema/ids.ts'
import { getKey } from '../../view/keyed.ts'
import type { RunView } from '../../view/run-view.ts'
import { itemAt, itemCount } from '../../view/transcript.ts'
import type { App } from '../app.ts'

/** The whole chat, or a part of it that was read for this. */
type Chat = Pick<App, 'view' | 'host'>

/** What a team's run brought into the folder: the answer that was presented, then what its presenter changed besides. */
export async function runChanges(app: Chat, run_id: RunId): Promise<{ title: string; diff: string }[]> {
  const { run: newest, inner } = app.view
  const run = newest?.run_id === run_id ? newest : getKey(inner.runs, run_id)
  const presenter = run?.presenter ?? run?.winner
  if (!run || !presenter) return []
  const label = run.agents.find(({ agent_id }) => agent_id === presenter)?.answers.at(-1)?.label
  const diff = label && (await app.host?.client.diff(run_id, label))
  return [
    ...(diff ? [{ title: `${presenter} ${label}`, diff }] : []),
    ...(run === newest ? whilePresenting(app, run, presenter) : []),
  ]
}

/** The tabs hold the newest run's work. */
function whilePresenting({ view }: Chat, { run_id }: RunView, presenter: string) {
  const transcript = view.agents.find(({ agent_id }) => agent_id === presenter)?.transcript
  const found: { title: string; diff: string }[] = []
  for (let place = transcript ? itemCount(transcript) - 1 : -1; transcript && place >= 0; place--) {
    const item = itemAt(transcript, place)
    if (item?.kind === 'presentation' && item.stream === run_id) return found
    if (item?.kind === 'tool_call' && item.diff) found.unshift({ title: item.summary, diff: item.diff })
  }
  return []
}
