import type { CoordinationSummary } from '../../schema/run-result.ts'
import { clip } from '../turn/observe.ts'
import { plural } from '../turn/summary.ts'
import type { RunState, TeamAgent } from './state.ts'

/** What came of the coordination, for people and for the agent that launched the run. */
export function summarizeRun(state: RunState): CoordinationSummary {
  const answers = state.agents.flatMap(({ id, answers }) =>
    answers.map(({ label, at_ms }) => ({ agent: id, label, at_ms })),
  )
  return {
    agents: state.agents.map(({ id }) => id),
    answers: answers.toSorted((a, b) => a.at_ms - b.at_ms).map(({ agent, label }) => ({ agent, label })),
    votes: state.agents.flatMap(({ id, vote }) =>
      vote ? [{ voter: id, for: vote.for, reason: vote.reason }] : [],
    ),
    winner: state.decision?.winner ?? null,
    presenter: state.presenter?.agent ?? null,
    overridden: state.overridden,
    rounds: state.round,
    strategy: state.settings.coordination.final_answer_strategy,
  }
}

/** How far everybody got, when there is no answer to give. */
export function describeProgress({ agents }: RunState, reason: string): string {
  return [reason, ...agents.map((agent) => `- ${agent.id}: ${progressOf(agent)}`)].join('\n')
}

function progressOf({ answers, out, usage, turn }: TeamAgent): string {
  const last = answers.at(-1)
  const calls = plural(usage.model_calls, 'model call')
  const said = last
    ? `answered ${last.label}: ${clip(last.text.replaceAll('\n', ' '), 200)}`
    : 'gave no answer'
  const how = out ?? (turn ? 'was at work' : '')
  return [said, calls, how].filter(Boolean).join('; ')
}
