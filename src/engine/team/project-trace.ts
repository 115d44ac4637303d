import type { ProjectWorkspace } from '../../ports/project.ts'
import type { EngineParts } from '../parts.ts'
import type { RunDesk, RunOrder } from './desk.ts'

const DELIVERABLES = '.conclave/deliverables/'
const INDEX = `${DELIVERABLES}index.json`

/** An answer of so many lines is something to keep, not only to read once. */
const LONG_ANSWER = 60

/** Links the run in the project's workspace, before anything is looked at: what we write is not what agents write. */
export async function beginTrace(parts: EngineParts, order: RunOrder, at_ms: number): Promise<void> {
  const project = await parts.workspace?.(order.chat.folder)
  if (!project) return
  await project.ensure()
  await link(project, order, 'running', at_ms)
}

/** Notes how the run ended and what it leaves for the person. What cannot be noted ends no run. */
export async function endTrace({ order, actor, turns }: RunDesk): Promise<void> {
  const { workspace, clock } = turns.parts
  const { finished, writes, started_ms, settings } = actor.state
  const project = await workspace?.(order.chat.folder)
  if (!project || !finished) return
  await link(project, order, finished.status, started_ms)
  if (finished.status !== 'complete') return
  const { run_id } = order
  const at = new Date(clock.now()).toISOString()
  const left = (writes?.files ?? []).filter(
    ({ path, change }) => path.startsWith(DELIVERABLES) && path !== INDEX && change !== 'deleted',
  )
  for (const { path } of left) await project.noteDeliverable({ run_id, path, at })
  const long = finished.final_answer.split('\n').length > LONG_ANSWER
  if (!long || settings.turn.mode === 'Plan') return
  const bytes = new TextEncoder().encode(`${finished.final_answer}\n`)
  await project.addDeliverable({ run_id, name: `${run_id}.md`, bytes, at })
}

const link = (
  project: ProjectWorkspace,
  { run_id, prompt }: RunOrder,
  status: string,
  at_ms: number,
): Promise<unknown> => project.linkRun({ run_id, task: prompt, status, at: new Date(at_ms).toISOString() })
