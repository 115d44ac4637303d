import { toArray } from '../core/list.ts'
import { detailSteps } from '../core/turn/summary.ts'
import { cardText, pendingCard } from './pending-card.ts'
import type { TurnState } from '../core/turn/state.ts'
import type { Pending } from '../schema/pending.ts'
import type { RunResult, RunStatus } from '../schema/run-result.ts'

export interface RunResultOptions {
  verbose: boolean
  /** What the run waits for: the turn's own, or that of one of its sub-agents. */
  waiting?: Pending
}

/** The result of a run of one agent: its turn. */
export function runResult(turn: TurnState, folder: string, options: RunResultOptions): RunResult {
  const status: RunStatus = turn.outcome ?? 'pending'
  const answer = turn.answer ?? (options.waiting ? describePending(options.waiting) : '')
  const details = options.verbose ? detailSteps(turn) : ''
  const agents = [turn.agent_id]
  const answered = turn.outcome === 'complete' ? turn.agent_id : null
  return {
    type: 'result',
    run_id: turn.turn_id,
    chat_id: turn.chat_id,
    status,
    final_answer: details ? `${answer}\n\n${details}` : answer,
    workspace_path: folder,
    coordination_summary: {
      agents,
      answers: answered ? [{ agent: answered, label: 'agent1.1' }] : [],
      votes: [],
      winner: answered,
      presenter: answered,
      overridden: false,
      rounds: 1,
      strategy: null,
    },
    workflow: { states: toArray(turn.visited), iterations: turn.iteration },
    files_written: [...turn.files],
    usage: { ...turn.usage, cost_usd: turn.usage.cost_usd ?? null },
    ...(turn.failure && { error: turn.failure.message }),
  }
}

export const describePending = (pending: Pending): string =>
  `Waiting for you:\n${cardText(pendingCard(pending))}`
