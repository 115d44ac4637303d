import { keptFacts } from '../../core/session/compaction.ts'
import type { SessionInput } from '../../core/session/input.ts'
import type { SessionState } from '../../core/session/state.ts'
import { clip } from '../../core/turn/observe.ts'
import type { Agent } from '../parts.ts'
import { chatSummaryPrompt } from '../../prompts/chat-summary-prompt.ts'
import { renderChatSummary, renderKept } from '../../prompts/render-compaction.ts'
import type { ToldMessage } from '../../prompts/told-message.ts'
import type { CompactionOrder } from '../../schema/compaction.ts'
import type { TurnSettings } from '../../schema/turn-event.ts'
import { type Usage, addUsage, noUsage } from '../../schema/usage.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import type { TurnOrder, Turns } from '../turns.ts'
import { findRuns } from './find-runs.ts'
import { collect, describe } from './summarize.ts'

/** Tokens of an unknown model's context that a summary may be made from. */
const ASSUMED_WINDOW = 32_000
/** Characters of each message in a digest. */
const DIGESTED = 200
/** Characters of a request that is about half the context. */
const PER_TOKEN = 2

/** Has the agent's model summarise the exchanges. When it cannot, the conversation stays as it is. */
export async function compactChat(
  turns: Turns,
  chat: SessionState,
  order: CompactionOrder,
  signal: AbortSignal,
): Promise<SessionInput> {
  const { through, exchanges } = order
  const agent = await turns.parts.agent(order.agent_id, asTurn(chat, order))
  const { messages, rest } = await turns.conversations.before(chat, exchanges)
  const room = (agent.model.context_window ?? ASSUMED_WINDOW) * PER_TOKEN
  const made = agent.model.no_prose
    ? { summary: digest(messages), usage: noUsage }
    : await summarizeParts(agent, inParts(messages.map(describe), room), signal)
  if ('reason' in made) return { type: 'compaction_failed', through, reason: made.reason }
  const runs = await findRuns(turns.parts.journal, chat, exchanges)
  const { summary, usage } = made
  const begins = [renderKept({ kept: keptFacts(chat, runs) }), renderChatSummary({ summary, exchanges })]
  const tokens_after = estimateTokens(JSON.stringify(begins).length + rest)
  return { type: 'compacted', through, summary, runs, tokens_after, usage }
}

/** What was said, shortened, for a model that cannot do better. */
const digest = (messages: readonly ToldMessage[]): string =>
  messages
    .flatMap((message) =>
      message.role === 'tool' || !message.text
        ? []
        : [`${message.role === 'user' ? 'Person' : 'Agent'}: ${clip(message.text, DIGESTED)}`],
    )
    .join('\n')

/** Each part is condensed together with what was made of those before it. */
async function summarizeParts(
  agent: Agent,
  parts: readonly string[],
  signal: AbortSignal,
): Promise<{ summary: string; usage: Usage } | { reason: string }> {
  let summary = ''
  let usage = noUsage
  for (const part of parts) {
    const text = summary ? `Summary of what came before:\n${summary}\n\nWhat came then:\n${part}` : part
    const request = { system: chatSummaryPrompt, messages: [{ role: 'user' as const, text }], tools: [] }
    const reply = await collect(agent.model.stream(request, signal))
    usage = addUsage(usage, reply.usage)
    if (reply.failure) return { reason: `the summary could not be made: ${reply.failure.message}` }
    summary = reply.summary.trim()
    if (!summary) return { reason: `the summary could not be made: ${agent.model.label} sent nothing` }
  }
  return { summary, usage }
}

/** Whole messages, as many as fit; at least one each. */
export function inParts(messages: readonly string[], room: number): string[] {
  const parts: string[] = []
  let size = Infinity
  for (const message of messages) {
    size += message.length
    if (size > room) {
      parts.push(message)
      size = message.length
    } else parts.push(`${parts.pop() ?? ''}\n\n${message}`)
  }
  return parts
}

/** Agents are asked for on behalf of a turn; this one is never run, and its id is not that of any other. */
function asTurn(chat: SessionState, { agent_id, exchanges }: CompactionOrder): TurnOrder {
  const settings: TurnSettings = {
    mode: 'Plan',
    permission: 'deny',
    max_iterations: 1,
    reflect: 'never',
    tools: [],
  }
  const turn_id = `turn_${chat.chat_id.slice('chat_'.length)}-summary-${exchanges}` as const
  const parent = { turn_id, call_id: 'summary' }
  return { turn_id, agent_id, prompt: '', settings, chat, parent, onPending: () => undefined }
}
