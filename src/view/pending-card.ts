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
  }
}

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
