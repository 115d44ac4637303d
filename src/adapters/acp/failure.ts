import type { Failure } from '../../schema/failure.ts'
import type { AgentConnection } from './connect-agent.ts'
import { asObject, asText } from './read-json.ts'

const AUTH_REQUIRED = -32000

type Known = Pick<AgentConnection, 'label' | 'logins'> & {
  process: Pick<AgentConnection['process'], 'ended' | 'stray'>
}

/** What went wrong between us and an agent: it is gone, it refused, or it wants a login first. */
export function describeProblem(error: unknown, { label, logins, process }: Known, when: string): Failure {
  const { code, message, data } = readError(error)
  if (code === AUTH_REQUIRED) {
    return {
      kind: 'credentials',
      message: `${label} wants a login first${message ? `: ${message}` : ''}`,
      hint: [
        'log in with the agent itself, or name the variable of its key in `env` of this backend',
        ...(logins.length > 0 ? [`it offers: ${logins.join('; ')}`] : []),
      ].join('\n'),
    }
  }
  if (process.ended !== undefined) {
    return {
      kind: 'model',
      message: `${label} is gone (${when}): ${process.ended}`,
      hint: 'start the command in a terminal to see what it needs; some agents want a flag such as --acp',
    }
  }
  const details = asText(data['details']) ?? asText(data['message'])
  return {
    kind: 'model',
    message: `${label} failed ${when}: ${[message, details].filter(Boolean).join(': ').slice(0, 2_000)}`,
    hint: 'send the message again, or choose another agent',
  }
}

export function silent(label: string, ms: number, process: Known['process']): Failure {
  const printed = process.stray === undefined ? '' : `; it printed: ${process.stray}`
  return {
    kind: 'network',
    message: `${label} said nothing for ${ms / 1000} s, so it was ended${printed}`,
    hint: 'raise timeouts.progress_seconds if it is just slow',
  }
}

export const tooSlow = (label: string, ms: number, process: Known['process']): Failure => ({
  kind: 'network',
  message:
    `${label} did not open a session within ${ms / 1000} s` +
    (process.stray === undefined ? '' : `; it printed: ${process.stray}`),
  hint: 'is it an agent that speaks the Agent Client Protocol? Some want a flag such as --acp. If it is just slow, raise timeouts.first_seconds',
})

/** Why an agent stopped, when that is no ordinary end. */
export function describeStop(label: string, reason: unknown): Failure | undefined {
  switch (reason) {
    case 'end_turn':
      return undefined
    case 'max_tokens':
      return {
        kind: 'limit',
        message: `${label} ran out of tokens in its reply`,
        hint: 'ask for less at a time',
      }
    case 'max_turn_requests':
      return {
        kind: 'limit',
        message: `${label} asked its model as often as its own settings allow`,
        hint: 'send "go on", or raise that limit in the settings of the agent',
      }
    case 'refusal':
      return { kind: 'model', message: `${label} refused to go on`, hint: 'put the request differently' }
    case 'cancelled':
      return { kind: 'model', message: `${label} says that it was cancelled`, hint: 'send the message again' }
    default:
      return {
        kind: 'model',
        message: `${label} stopped for a reason we do not know: ${JSON.stringify(reason)?.slice(0, 100)}`,
        hint: 'send the message again',
      }
  }
}

function readError(error: unknown): { code?: number; message: string; data: Record<string, unknown> } {
  const { code, data } = asObject(error)
  const message = error instanceof Error ? error.message : String(error)
  return { ...(typeof code === 'number' && { code }), message, data: asObject(data) }
}
