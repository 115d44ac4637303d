import { shortened } from '../core/launch/launch-result.ts'
import type { RunId } from '../schema/ids.ts'
import type { Message } from '../schema/message.ts'
import type { ToldMessage } from './told-message.ts'

/**
 * A team's work as later requests hold it: what was asked and what came of it. A run in the background was asked for by
 * the agent itself, so it only learns how it ended, with a reference where that is long.
 */
export function renderRun(run_id: RunId, said: readonly Message[]): ToldMessage[] {
  const messages = said.filter(({ message_type }) => message_type !== 'ToolCall')
  if (messages.some(({ role }) => role === 'user'))
    return messages.map(({ role, text, pictures }) =>
      role === 'user'
        ? { role, text, ...(pictures && { pictures }) }
        : { role: 'assistant', text, calls: [] },
    )
  const answer = messages.findLast(({ pending_id }) => pending_id === undefined)?.text ?? ''
  const result = { run_id, ...shortened(answer, `.conclave/logs/${run_id}`), log: `.conclave/logs/${run_id}` }
  return [
    {
      role: 'user',
      text: `Conclave tells you: the run in the background has ended. The person has seen its result.\n${JSON.stringify(result, null, 1)}`,
    },
  ]
}
