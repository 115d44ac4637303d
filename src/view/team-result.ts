import type { RunState } from '../core/run/state.ts'
import { summarizeRun } from '../core/run/summary.ts'
import type { Pending } from '../schema/pending.ts'
import type { RunResult } from '../schema/run-result.ts'
import type { Phase } from '../schema/turn-event.ts'
import { describePending } from './run-result.ts'

/** The result of a team's run. `workflow` is that of the agent that presented. */
export function teamResult(run: RunState, options: { waiting?: Pending } = {}): RunResult {
  const { finished, writes, usage, presenter, agents } = run
  const shown = agents.find(({ id }) => id === presenter?.agent) ?? agents[0]
  const waiting = options.waiting ? describePending(options.waiting) : ''
  return {
    type: 'result',
    run_id: run.run_id,
    chat_id: run.chat_id,
    status: finished?.status ?? 'pending',
    final_answer: finished?.final_answer ?? waiting,
    workspace_path: run.folder,
    coordination_summary: summarizeRun(run),
    workflow: {
      states: (shown?.phases.states ?? []) as Phase[],
      iterations: shown?.phases.iterations ?? 0,
    },
    files_written: [...(writes?.files ?? [])],
    usage: { ...usage, cost_usd: usage.cost_usd ?? null },
    ...(run.log_directory && { log_directory: run.log_directory }),
    ...(finished?.failure && { error: finished.failure.message }),
  }
}

/** The final answer as a person reads it, with what was written below it. */
export function teamAnswer({ finished, writes, applied }: RunState): string {
  const missing = (applied?.conflicts ?? []).map(({ path, reason }) => `- ${path}: ${reason}`)
  const parts = [finished?.final_answer ?? '', writes?.footer ?? '']
  if (missing.length > 0) parts.push(`Not written:\n${missing.join('\n')}`)
  return parts.filter(Boolean).join('\n\n')
}
