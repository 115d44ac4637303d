import { coordinationTable, describeVotes } from '../core/run/log-files.ts'
import { run } from '../core/run/run.ts'
import type { RunState } from '../core/run/state.ts'
import type { StoredEnvelope } from '../schema/envelope.ts'
import type { RunEvent } from '../schema/run-event.ts'
import { teamAnswer } from './team-result.ts'

/** A run as Markdown: the task, who did what when, the vote, and what came of it. */
export function runReport(envelopes: readonly StoredEnvelope[]): string {
  const events = envelopes as readonly StoredEnvelope<RunEvent>[]
  const state: RunState = events.reduce((folded, { event }) => run.evolve(folded, event), run.initial)
  const { run_id, chat_id, folder, prompt, settings, finished } = state
  const { team_mode, refinement, coordination } = settings
  const how = [team_mode, refinement ? 'refinement' : 'no refinement', coordination.final_answer_strategy]
  return [
    `# ${run_id}`,
    `${chat_id} · ${folder} · ${how.join(' · ')} · ${finished?.status ?? 'unfinished'}`,
    prompt,
    demote(coordinationTable(state, events)),
    demote(describeVotes(state)),
    '## Final answer',
    finished ? teamAnswer(state) : 'None yet.',
  ]
    .map((part) => part.trim())
    .join('\n\n')
    .concat('\n')
}

const demote = (markdown: string): string => markdown.replace(/^# /, '## ')
