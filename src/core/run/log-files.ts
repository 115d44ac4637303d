import type { RunEvent } from '../../schema/run-event.ts'
import { summarizeRun } from './summary.ts'
import type { Answer, RunState } from './state.ts'

/** The files of a run's log, by name: what people want to read when it is over. */
export function runLogFiles(
  state: RunState,
  events: readonly { at: string; event: RunEvent }[],
  diffs: ReadonlyMap<string, string>,
): Map<string, string> {
  const files = new Map<string, string>([
    ['task.md', `${state.prompt}\n`],
    ['coordination.md', coordinationTable(state, events)],
    ['votes.md', describeVotes(state)],
    ['final_answer.md', finalAnswer(state)],
    ['summary.json', `${JSON.stringify(summarizeRun(state), null, 2)}\n`],
    ['events.jsonl', events.map((envelope) => `${JSON.stringify(envelope)}\n`).join('')],
  ])
  for (const answer of state.agents.flatMap(({ answers }) => answers)) {
    files.set(`answers/${answer.label}.md`, describeAnswer(state, answer))
    const diff = diffs.get(answer.label)
    if (diff) files.set(`answers/${answer.label}.diff`, diff)
  }
  return files
}

function finalAnswer({ finished, writes }: RunState): string {
  return [finished?.final_answer ?? '', writes?.footer ?? ''].filter(Boolean).join('\n\n').concat('\n')
}

function describeAnswer({ agents }: RunState, { label, text, evidence, snapshot }: Answer): string {
  const author = agents.find(({ answers }) => answers.some((answer) => answer.label === label))?.id ?? ''
  const { files, added, removed } = snapshot
  return [
    `# ${label} by ${author}`,
    ...(files > 0 ? [`Changes ${files} file${files === 1 ? '' : 's'} (+${added} −${removed}).`] : []),
    ...(evidence ?? []).map(
      ({ name, status, duration_ms }) => `- ${name}: ${status} (${seconds(duration_ms)})`,
    ),
    text,
  ]
    .join('\n\n')
    .concat('\n')
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

export function describeVotes({ agents, decision, overridden, presenter }: RunState): string {
  const votes = agents.flatMap(({ id, vote }) =>
    vote ? [`- ${id} votes ${vote.label} (${vote.for}): ${vote.reason}`] : [],
  )
  const tally = (decision?.tally ?? []).map(({ agent, votes: count }) => `| ${agent} | ${count} |`)
  return [
    '# Votes',
    votes.length > 0 ? votes.join('\n') : 'No votes.',
    ...(tally.length > 0 ? [['| agent | votes |', '|---|---|', ...tally].join('\n')] : []),
    ...(decision
      ? [
          `Winner: ${decision.winner} (${decision.label}), margin ${decision.margin}${decision.tie ? ', a tie' : ''}, ${decision.reason}.`,
        ]
      : []),
    ...(overridden ? [`The person chose ${presenter?.agent} instead.`] : []),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Who did what when, one line for each step. */
export function coordinationTable(
  { agents, started_ms }: RunState,
  events: readonly { at: string; event: RunEvent }[],
): string {
  const rows = events.flatMap(({ at, event }) => {
    const what = describeEvent(event)
    return what ? [`| ${since(started_ms, at)} | ${what.who} | ${cell(what.did)} |`] : []
  })
  const summary = agents.map(({ id, answers, vote, out, usage, worked_ms }) => {
    const tokens = usage.input_tokens + usage.output_tokens
    const labels = answers.map(({ label }) => label).join(', ') || '–'
    return `| ${id} | ${labels} | ${vote?.label ?? '–'} | ${usage.model_calls} | ${tokens} | ${seconds(worked_ms)} | ${cell(out ?? '')} |`
  })
  return [
    '# Coordination',
    [
      '| agent | answers | vote | calls | tokens | worked | out |',
      '|---|---|---|---|---|---|---|',
      ...summary,
    ].join('\n'),
    ['| time | who | what |', '|---|---|---|', ...rows].join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}

const since = (started_ms: number, at: string): string =>
  `+${Math.max(0, (Date.parse(at) - started_ms) / 1000).toFixed(1)} s`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 300)

function describeEvent(event: RunEvent): { who: string; did: string } | undefined {
  switch (event.type) {
    case 'agent.started': {
      const again = event.reminder > 0 ? `, reminder ${event.reminder}` : ''
      return { who: event.agent_id, did: `starts to ${event.purpose} (round ${event.round}${again})` }
    }
    case 'answer.submitted':
      return { who: event.agent_id, did: `answers ${event.label}` }
    case 'answer.rejected':
      return { who: event.agent_id, did: `answer not taken: ${event.reason}` }
    case 'evidence.recorded':
      return {
        who: event.label,
        did: event.results.map(({ name, status }) => `${name} ${status}`).join(', '),
      }
    case 'update.injected':
      return event.delivered ? { who: event.agent_id, did: `sees ${event.labels.join(', ')}` } : undefined
    case 'vote.cast':
      return { who: event.voter, did: `votes ${event.label}: ${event.reason}` }
    case 'vote.rejected':
      return { who: event.voter, did: `vote not taken: ${event.reason}` }
    case 'agent.out':
      return { who: event.agent_id, did: `is out: ${event.reason}` }
    case 'voting.completed':
      return { who: 'team', did: `chooses ${event.winner} (${event.label}), ${event.reason}` }
    case 'winner.overridden':
      return { who: event.by, did: `chooses ${event.agent_id} (${event.label}) instead` }
    case 'answer.applied':
      return { who: 'team', did: `${event.files.length} files written, ${event.conflicts.length} not` }
    case 'presentation.started':
      return {
        who: event.agent_id,
        did: event.makes_call ? `presents (${event.strategy})` : 'answer is final',
      }
    case 'deadline.reached':
      return { who: 'team', did: `${event.deadline} deadline` }
    case 'run.finished':
      return { who: 'team', did: event.status }
    default:
      return undefined
  }
}
