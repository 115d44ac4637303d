import { toArray } from '../core/list.ts'
import type { SessionState } from '../core/session/state.ts'
import { describeStep, detailSteps, plural } from '../core/turn/summary.ts'
import type { RunState } from '../core/run/state.ts'
import type { TurnState } from '../core/turn/state.ts'
import type { RunId, TurnId } from '../schema/ids.ts'
import { describePicture } from './describe-picture.ts'
import { describePending } from './run-result.ts'

export interface ChatRecord {
  session: SessionState
  /** Every turn of the chat, the unfinished one included. */
  turns: ReadonlyMap<TurnId, TurnState>
  runs: ReadonlyMap<RunId, RunState>
}

/** A chat as Markdown: what was said, and under each answer how it came about. */
export function chatTranscript({ session, turns, runs }: ChatRecord, options: { verbose: boolean }): string {
  const { chat_id, title, folder, config, open_turn, warning } = session
  const parts = [`# ${title}`, `${chat_id} · ${folder} · ${config.agent_mode} mode`]
  if (warning) parts.push(`Warning: ${warning}`)
  for (const { role, text, pictures, agent_id, turn_id, run_id } of toArray(session.messages)) {
    parts.push(role === 'user' ? '## You' : `## ${agent_id ?? 'agent'}`, text)
    if (pictures) parts.push(pictures.map((picture) => `- ${describePicture(picture)}`).join('\n'))
    const turn = turn_id && turns.get(turn_id)
    const run = run_id && runs.get(run_id)
    if (role === 'agent' && run) parts.push(summarizeTeam(run))
    if (role === 'agent' && turn) parts.push(options.verbose ? detailSteps(turn) : summarize(turn))
  }
  const open = open_turn && turns.get(open_turn.turn_id)
  if (open) parts.push('## Unfinished', summarize(open), ...open.pendings.map(describePending))
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function summarizeTeam({ run_id, agents, decision, presenter, overridden, usage, writes }: RunState): string {
  const files = (writes?.files ?? []).map(({ path, change }) => `${path} (${change})`)
  const votes = (decision?.tally ?? []).map(({ agent, votes: count }) => `${agent} ${count}`)
  const lines = [
    `${run_id}: ${agents.map(({ id }) => id).join(', ')}, ${plural(usage.model_calls, 'model call')}`,
    ...(votes.length > 0 ? [`votes: ${votes.join(', ')}`] : []),
    ...(presenter ? [`presented by ${presenter.agent}${overridden ? ', chosen by the person' : ''}`] : []),
    ...(files.length > 0 ? [`written: ${files.join(', ')}`] : []),
  ]
  return lines.map((line) => `- ${line}`).join('\n')
}

function summarize(turn: TurnState): string {
  const steps = toArray(turn.observations)
  const files = turn.files.map(({ path, change }) => `${path} (${change})`)
  const corrections = toArray(turn.entries).flatMap((entry) =>
    entry.kind === 'guidance' ? [entry.text] : [],
  )
  const lines = [
    `${turn.phase}, ${plural(turn.iteration, 'iteration')}, ${plural(turn.usage.model_calls, 'model call')}`,
    ...corrections.map((text) => `corrected by the person: ${text}`),
    ...steps.map((step) => describeStep(step)),
    ...(files.length > 0 ? [`written: ${files.join(', ')}`] : []),
  ]
  return lines.map((line) => `- ${line}`).join('\n')
}
