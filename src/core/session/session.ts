import type { CompactionOrder } from '../../schema/compaction.ts'
import type { SessionEvent } from '../../schema/session-event.ts'
import type { Aggregate } from '../aggregate.ts'
import { decide } from './decide.ts'
import { evolve } from './evolve.ts'
import type { SessionInput } from './input.ts'
import {
  type ChatPlan,
  type OpenRun,
  type OpenTurn,
  type SessionState,
  initialSession,
  storageKey,
} from './state.ts'

export type SessionEffect =
  | ({ key: string; type: 'run_turn' } & OpenTurn)
  | ({ key: string; type: 'run_run' } & OpenRun)
  | { key: string; type: 'store_plan'; plan: ChatPlan }
  | { key: string; type: 'compact'; order: CompactionOrder }

/** A chat: what was said, in which mode, the plan it is about, and the turn that is under way. */
export const session: Aggregate<SessionState, SessionInput, SessionEvent, SessionEffect> = {
  initial: initialSession,
  decide,
  evolve,
  effects,
}

/** One key for all states of the plan: its folder is written by one effect after the other, so the newest comes last. */
function effects({ open_turn, open_run, background, plan, compacting }: SessionState): SessionEffect[] {
  const due: SessionEffect[] = []
  if (compacting) due.push({ key: `compact:${compacting.through}`, type: 'compact', order: compacting })
  else if (open_turn) due.push({ key: open_turn.turn_id, type: 'run_turn', ...open_turn })
  else if (open_run) due.push({ key: open_run.run_id, type: 'run_run', ...open_run })
  for (const run of background) due.push({ key: run.run_id, type: 'run_run', ...run })
  if (plan && plan.stored !== storageKey(plan)) due.push({ key: 'store_plan', type: 'store_plan', plan })
  return due
}
