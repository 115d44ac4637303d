import { plural } from '../core/turn/summary.ts'
import type { Pending } from '../schema/pending.ts'
import type { Severity } from '../schema/question.ts'

/** What a person sees of something that waits for them, and can choose. Every face draws this in its own way. */
export interface PendingCard {
  title: string
  severity: Severity
  /** Critical is red and prominent, major amber, minor grey. */
  accent: 'red' | 'amber' | 'grey'
  prominent: boolean
  lines: string[]
  choices: CardChoice[]
  /** What a bare Enter chooses; a critical question has none. */
  default?: string
  /** An answer in other words is taken too. */
  free_text: boolean
}

export interface CardChoice {
  value: string
  label: string
  description?: string
}

export function pendingCard(pending: Pending): PendingCard {
  switch (pending.kind) {
    case 'question': {
      const { question, context, severity, options } = pending
      const fallback = severity === 'critical' ? undefined : pending.default
      return {
        ...styled(`Question · ${severity}`, severity),
        lines: [question, ...(context ? [context] : [])],
        choices: options,
        ...(fallback !== undefined && { default: fallback }),
        free_text: true,
      }
    }
    case 'tool_approval': {
      const { call, reason, severity, always } = pending
      const grants = always.map(({ resource }) => JSON.stringify(resource)).join(', ')
      return {
        ...styled(`${call.name} wants to run · ${severity}`, severity),
        lines: [...new Set([readable(call.input), ...notesOf(pending), reason])],
        choices: [
          { value: 'once', label: 'Yes, once' },
          ...(grants
            ? [{ value: 'always', label: 'Yes, always in this chat', description: `exactly ${grants}` }]
            : []),
          { value: 'deny', label: 'No' },
        ],
        free_text: false,
      }
    }
    case 'guidance':
      return {
        ...styled('Guidance · major', 'major'),
        lines: [pending.question, pending.context].filter(Boolean),
        choices: [
          ...(pending.extends
            ? [{ value: 'continue', label: `Go on for up to ${pending.extends} iterations` }]
            : []),
          { value: 'stop', label: 'Stop here' },
        ],
        free_text: true,
      }
    case 'override':
      return overrideCard(pending)
    case 'run_approval':
      return launchCard(pending)
  }
}

/** Every agent with an answer can be chosen; going on without a choice keeps the winner. */
function overrideCard({ winner, tie, margin, candidates }: PendingOf<'override'>): PendingCard {
  const votes = candidates.map(({ agent, votes }) => `${agent} ${votes}`).join(' · ')
  const evidence = candidates.filter((candidate) => candidate.evidence.length > 0)
  const shown = evidence.map(({ agent, evidence }) => `${agent} ${evidence.map(describeEvidence).join(' ')}`)
  return {
    ...styled('The vote is over', 'minor'),
    lines: [
      `Votes: ${votes}`,
      tie ? `a tie, which goes to ${winner}` : `margin ${margin}`,
      ...(shown.length > 0 ? [`evidence: ${shown.join(' · ')}`] : []),
    ],
    choices: [
      { value: 'continue', label: `Continue with ${winner}` },
      ...candidates.map(({ agent, votes, files, added, removed, preview }) => ({
        value: agent,
        label: `${agent} (${agent === winner ? 'winner, ' : ''}${plural(votes, 'vote')})`,
        description: [files > 0 ? `+${added} −${removed}` : '', preview].filter(Boolean).join('  '),
      })),
    ],
    default: 'continue',
    free_text: false,
  }
}

function describeEvidence({
  name,
  status,
}: PendingOf<'override'>['candidates'][number]['evidence'][number]): string {
  const signs = { passed: '✔', failed: '✖', timeout: '⌛', unavailable: '?' } as const
  return `${signs[status]} ${name}`
}

function launchCard({ launch }: PendingOf<'run_approval'>): PendingCard {
  const { task, context, agents, team_mode, refinement, planning_mode, execute_after_planning } = launch
  const how = [
    team_mode,
    `refinement ${refinement ? 'on' : 'off'}`,
    ...(planning_mode ? ['planning only'] : []),
    ...(execute_after_planning ? ['then execute the winning plan'] : []),
  ]
  return {
    ...styled('Launch a run?', 'major'),
    lines: [
      `Task      ${task}`,
      ...(context ? [`Context   ${context}`] : []),
      `Agents    ${agents.join(', ')}   ${how.join(' · ')}`,
      `Estimate  ${describeEstimate(launch.estimate)} (estimate)`,
    ],
    choices: [
      { value: 'approve', label: 'Approve' },
      { value: 'background', label: 'Approve in the background', description: 'you go on talking meanwhile' },
      { value: 'edit', label: 'Edit' },
      { value: 'cancel', label: 'Cancel' },
    ],
    free_text: false,
  }
}

function describeEstimate({ calls, tokens, usd }: PendingOf<'run_approval'>['launch']['estimate']): string {
  const thousands = tokens.map((count) => Math.ceil(count / 1000))
  const money = usd ? `, $${usd[0].toFixed(2)}–${usd[1].toFixed(2)}` : ', price unknown'
  return `about ${calls[0]}–${calls[1]} calls, ${thousands[0]}–${thousands[1]}k tokens${money}`
}

type PendingOf<K extends Pending['kind']> = Extract<Pending, { kind: K }>

/** The card as plain text, for a face that cannot draw. */
export function cardText({
  title,
  prominent,
  lines,
  choices,
  free_text,
  default: fallback,
}: PendingCard): string {
  const options = choices.map(({ value, label, description }, index) => {
    const usual = value === fallback ? ' (default)' : ''
    return `  ${index + 1}  ${label}${usual}${description ? `: ${description}` : ''}`
  })
  return [
    prominent ? `!! ${title} !!` : title,
    ...lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`),
    ...options,
    ...(free_text ? ['  or any other words'] : []),
  ].join('\n')
}

function styled(
  title: string,
  severity: Severity,
): Pick<PendingCard, 'title' | 'severity' | 'accent' | 'prominent'> {
  const accents = { critical: 'red', major: 'amber', minor: 'grey' } as const
  return { title, severity, accent: accents[severity], prominent: severity === 'critical' }
}

/** The real bytes of a command; other input as the JSON it is. */
function readable(input: Record<string, unknown>): string {
  return typeof input['command'] === 'string' ? input['command'] : JSON.stringify(input)
}

/** What hides in a command is said beside it. */
function notesOf({ call }: Extract<Pending, { kind: 'tool_approval' }>): string[] {
  return (call.access ?? []).flatMap((access) => (access.kind === 'command' ? access.notes : []))
}
