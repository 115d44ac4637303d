import { itemsFrom } from '../../core/list.ts'
import type { TurnInput } from '../../core/turn/input.ts'
import { clip } from '../../core/turn/observe.ts'
import type { Entry, TurnState } from '../../core/turn/state.ts'
import { detailSteps } from '../../core/turn/summary.ts'
import type { ModelPart } from '../../ports/model.ts'
import { summaryPrompt } from '../../prompts/summary-prompt.ts'
import type { ToldMessage } from '../../prompts/told-message.ts'
import type { Failure } from '../../schema/failure.ts'
import type { Picture } from '../../schema/picture.ts'
import { type Usage, noUsage } from '../../schema/usage.ts'
import type { TurnOrder, Turns } from '../turns.ts'

const LONGEST_MESSAGE = 1_500
/** Of a person, or of an earlier summary. */
const LONGEST_WORDS = 6_000
/** Tokens of an unknown model's context that a summary may be made from. */
const ASSUMED_WINDOW = 16_000

/** Has the model summarise what is old. When it cannot, the record itself is condensed: a summary never fails. */
export async function summarize(
  turns: Turns,
  order: TurnOrder,
  state: TurnState,
  signal: AbortSignal,
): Promise<TurnInput> {
  const agent = await turns.parts.agent(order.agent_id, order)
  const before = state.compacting?.before ?? 0
  const { messages } = await turns.conversations.read(order.parent ? undefined : order.chat, state)
  const kept = itemsFrom(state.entries, before).length
  const old = messages.slice(0, Math.max(1, messages.length - kept))
  const room = (agent.model.context_window ?? ASSUMED_WINDOW) * 2
  const transcript = clip(old.map(describe).join('\n\n'), room)
  const request = {
    system: summaryPrompt,
    messages: [{ role: 'user' as const, text: transcript }],
    tools: [],
  }
  const { summary, usage } = await collect(agent.model.stream(request, signal))
  return { type: 'summarized', summary: `${goal(state)}\n\n${summary.trim() || detailSteps(state)}`, usage }
}

/** The task in the person's own words is never summarised. */
function goal(state: TurnState): string {
  const [prompt] = itemsFrom(state.entries, 0) as [Entry?]
  return prompt?.kind === 'prompt' ? `The person's request, word for word:\n${prompt.text}` : ''
}

const mention = ({ name, media_type }: Picture): string => `[shows a picture, ${name ?? media_type}]`

export function describe(message: ToldMessage): string {
  switch (message.role) {
    case 'user':
      return [`Person: ${clip(message.text, LONGEST_WORDS)}`, ...(message.pictures ?? []).map(mention)].join(
        '\n',
      )
    case 'assistant': {
      const calls = message.calls.map(
        ({ name, input }) => `[calls ${name} ${clip(JSON.stringify(input), 300)}]`,
      )
      return `Agent: ${[clip(message.text, LONGEST_MESSAGE), ...calls].filter(Boolean).join('\n')}`
    }
    case 'tool':
      return `Result of ${message.name}: ${clip(message.output, LONGEST_MESSAGE)}`
  }
}

export async function collect(
  parts: AsyncIterable<ModelPart>,
): Promise<{ summary: string; usage: Usage; failure?: Failure }> {
  const reply: { summary: string; usage: Usage; failure?: Failure } = {
    summary: '',
    usage: { ...noUsage, model_calls: 1 },
  }
  for await (const part of parts) {
    if (part.type === 'text') reply.summary += part.text
    if (part.type === 'failed') {
      reply.summary = ''
      reply.failure = part.failure
    }
    if (part.type === 'usage') {
      const { input_tokens, output_tokens, cost_usd } = part
      reply.usage = { input_tokens, output_tokens, cost_usd, model_calls: 1 }
    }
  }
  return reply
}
