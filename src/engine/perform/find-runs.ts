import { itemsFrom, toArray } from '../../core/list.ts'
import type { SessionState } from '../../core/session/state.ts'
import type { Journal } from '../../ports/journal.ts'
import type { RunReference } from '../../schema/compaction.ts'
import type { RunId } from '../../schema/ids.ts'
import type { TurnEvent } from '../../schema/turn-event.ts'

const LONGEST_LINE = 160

/** The runs of the exchanges that are to be summarised: those a team answered, and those an agent launched. */
export async function findRuns(
  journal: Journal,
  chat: SessionState,
  exchanges: number,
): Promise<RunReference[]> {
  const from = chat.compaction?.exchanges ?? 0
  const ids: string[] = itemsFrom(chat.turns, from).slice(0, exchanges - from)
  const found: RunReference[] = []
  for (const id of ids) {
    if (isRun(id)) found.push(reference(id, promptOf(chat, id)))
    else {
      const events = await journal.read(id as `turn_${string}`)
      found.push(...launchedIn(events.map(({ event }) => event as TurnEvent)))
    }
  }
  return found
}

/** A call that runs as a run has that run as its child. */
function launchedIn(events: readonly TurnEvent[]): RunReference[] {
  return events.flatMap((event): RunReference[] => {
    if (event.type !== 'tool.called' || event.child === undefined || !isRun(event.child)) return []
    const { id, input } = event.call
    const end = events.find((later) => later.type === 'tool.finished' && later.call_id === id)
    const outcome = end?.type !== 'tool.finished' ? 'unfinished' : end.success ? 'done' : 'not done'
    return [reference(event.child, `${outcome}: ${typeof input['task'] === 'string' ? input['task'] : ''}`)]
  })
}

const promptOf = (chat: SessionState, run: RunId): string =>
  toArray(chat.messages).find(({ run_id, role }) => run_id === run && role === 'user')?.text ?? ''

function reference(run_id: RunId, text: string): RunReference {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return {
    run_id,
    line: line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line,
    log: `.conclave/logs/${run_id}`,
  }
}

const isRun = (id: string): id is RunId => id.startsWith('run_')
