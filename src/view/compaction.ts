import { describeKept } from '../core/session/describe-kept.ts'
import { plural } from '../core/turn/summary.ts'
import type { StoredEnvelope } from '../schema/envelope.ts'
import type { ChatId } from '../schema/ids.ts'
import type { SessionEvent } from '../schema/session-event.ts'

type CompactionEvent = Extract<
  SessionEvent,
  { type: 'session.compaction_requested' | 'session.compacted' | 'session.compaction_failed' }
>

/** One line for whoever watches. */
export function compactionLine(event: CompactionEvent): string {
  switch (event.type) {
    case 'session.compaction_requested':
      return `summarising the first ${plural(event.exchanges, 'exchange')} (the conversation has about ${event.tokens_before} tokens)`
    case 'session.compacted':
      return `summarised the first ${plural(event.exchanges, 'exchange')}: about ${event.tokens_before} → ${event.tokens_after} tokens; everything is still in the log`
    case 'session.compaction_failed':
      return `the conversation was not shortened: ${event.reason}`
  }
}

/** What was summarised, when, to what, and how to go on from before it. */
export function compactionReport(chat_id: ChatId, envelopes: readonly StoredEnvelope[]): string {
  const parts: string[] = []
  let last: string | undefined
  for (const { at, event, stream } of envelopes) {
    if (stream !== chat_id) continue
    if (event.type === 'turn.closed') last = event.turn_id
    if (event.type === 'run.closed') last = event.run_id
    if (event.type === 'chat.created') last = event.forked_from?.turns.at(-1)
    if (event.type === 'session.compaction_failed') parts.push(`## ${when(at)}\n\n${compactionLine(event)}`)
    if (event.type !== 'session.compacted') continue
    parts.push(
      `## ${when(at)}: ${compactionLine(event)}`,
      `By ${event.agent_id}, up to ${event.through}${event.threshold_tokens === undefined ? ', because a person asked for it' : ` (threshold_tokens ${event.threshold_tokens})`}.`,
      describeKept(event.kept),
      event.summary,
      ...(last ? [`To go on from before it: conclave -p "…" -r ${chat_id} --fork --at ${last}`] : []),
    )
  }
  return parts.length > 0 ? `${parts.join('\n\n')}\n` : 'Nothing of this chat was summarised.\n'
}

const when = (at: string): string => at.slice(0, 16).replace('T', ' ')
