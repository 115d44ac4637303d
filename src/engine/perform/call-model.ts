import type { TurnInput } from '../../core/turn/input.ts'
import type { TurnState } from '../../core/turn/state.ts'
import { visibleTools } from '../../core/policy/visible-tools.ts'
import { repairJson } from '../../core/repair-json.ts'
import type { ModelPart } from '../../ports/model.ts'
import type { Profile } from '../../prompts/profiles.ts'
import { systemPrompt } from '../../prompts/system-prompt.ts'
import type { Failure } from '../../schema/failure.ts'
import type { Reply, ToolCall } from '../../schema/turn-event.ts'
import type { Usage } from '../../schema/usage.ts'
import { checkInput } from '../../tools/input-schema.ts'
import { toModelTool } from '../../tools/registry.ts'
import type { Tool } from '../../tools/tool.ts'
import { type Ends, isToldToEnd } from '../actor.ts'
import type { Conversation } from '../conversations.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import type { TurnActor, TurnOrder, Turns } from '../turns.ts'
import { externalHost } from './external-host.ts'
import { rootOf } from './reach.ts'
import { showPictures } from './show-pictures.ts'
import { untilAborted } from './until-aborted.ts'

/** The rest of the context is for the reply. */
const FULL = 0.9

/** Asks the agent's model for the next step and collects its reply, showing text as it comes. */
export async function callModel(
  turns: Turns,
  order: TurnOrder,
  actor: TurnActor,
  { signal, stop }: Ends,
): Promise<TurnInput> {
  const { parts } = turns
  const { state } = actor
  const agent = await parts.agent(order.agent_id, order)
  const visible = new Set(visibleTools(order.settings).map(({ name }) => name))
  const offered = parts.tools.filter(({ name }) => visible.has(name))
  const nested = order.parent !== undefined
  const { mode } = order.settings
  const { identity, system_message } = agent
  const { messages, characters } = await readConversation(turns, order, state)
  const request = {
    system: systemPrompt(
      {
        mode,
        folder: rootOf(order),
        reach: order.settings.reach,
        platform: parts.platform,
        identity,
        system_message,
        nested,
        project: await parts.project?.(order.chat.folder),
        memory: await parts.memory?.(order.chat.folder, order.chat.chat_id),
        tools: offered.map(({ name }) => name),
        model: agent.model.label,
      },
      profileOf(turns, order),
    ),
    messages: await showPictures(messages, parts.pictures, agent.model.images !== false),
    tools: offered.map(toModelTool),
    cache_key: nested ? order.turn_id : (order.settings.team?.run_id ?? order.chat.chat_id),
  }

  const tokens = estimateTokens(characters + request.system.length + JSON.stringify(request.tools).length)
  const { context_window } = agent.model
  if (context_window && tokens > context_window * FULL) {
    return { type: 'context_full', tokens, window: context_window }
  }
  const limit = findSpentBudget(state, tokens)
  if (limit) return { type: 'interrupt', limit }

  if (await isToldToEnd({ signal, stop })) return { type: 'interrupt' }
  const reply = new ReplyCollector(parts.tools)
  const stream = agent.model.stream(request, signal, externalHost(turns, order, actor))
  for await (const part of untilAborted(stream, signal)) {
    if (part.type === 'failed') return { type: 'model_failed', failure: part.failure }
    reply.take(part)
    const { agent_id } = order
    if (part.type === 'text') turns.live(order.turn_id, { type: 'text.delta', agent_id, text: part.text })
    if (part.type === 'reasoning')
      turns.live(order.turn_id, { type: 'reasoning.delta', agent_id, text: part.text })
    if (part.type === 'retrying') {
      const { attempt, delay_ms, reason } = part
      turns.live(order.turn_id, { type: 'model.retrying', agent_id, attempt, delay_ms, reason })
    }
  }
  if (reply.isEmpty) return { type: 'model_failed', failure: emptyReply(agent.model.label) }
  return { type: 'model_replied', reply: await measure(reply.finish(), parts.tools, rootOf(order)) }
}

/** A sub-agent has no role of its own; the agent a person talks to is the interactive one where there is one. */
function profileOf({ parts }: Turns, { profile, parent }: TurnOrder): Profile {
  if (parent) return { name: 'chat' }
  if (profile) return profile
  return parts.interactive ? { name: 'interactive', ...parts.interactive } : { name: 'chat' }
}

/** A sub-agent begins anew. An agent of a team goes on from its own earlier turns in the run. */
function readConversation(
  { conversations }: Turns,
  { chat, parent, history, settings: { team } }: TurnOrder,
  state: TurnState,
): Promise<Conversation> {
  if (history) return conversations.beside(state, history)
  if (parent) return conversations.read(undefined, state)
  return conversations.read(team?.sees_chat === false ? undefined : chat, state, team?.history)
}

/** Money and tokens are counted before they are spent. */
function findSpentBudget({ usage, settings }: TurnState, tokens: number): string | undefined {
  const { max_tokens, max_usd } = settings
  const used = usage.input_tokens + usage.output_tokens
  if (max_tokens !== undefined && used + tokens > max_tokens) {
    return `${used} tokens are used and the next request takes about ${tokens} (--max-tokens ${max_tokens})`
  }
  if (max_usd === undefined || !usage.cost_usd || used === 0) return undefined
  const next = (usage.cost_usd / used) * tokens
  if (usage.cost_usd + next <= max_usd) return undefined
  return `$${usage.cost_usd.toFixed(2)} is spent and the next request costs about $${next.toFixed(2)} (--max-budget-usd ${max_usd})`
}

/** Notes on every call what it would touch, before anybody decides about it. */
async function measure(reply: Reply, tools: readonly Tool[], folder: string): Promise<Reply> {
  const calls = await Promise.all(
    reply.calls.map(async (call): Promise<ToolCall> => {
      const access = call.invalid
        ? undefined
        : await tools.find(({ name }) => name === call.name)?.access?.(call.input, folder)
      return access ? { ...call, access } : call
    }),
  )
  return { ...reply, calls }
}

class ReplyCollector {
  readonly #tools: readonly Tool[]
  #text = ''
  #reasoning = ''
  readonly #calls: ToolCall[] = []
  #usage: Usage = { input_tokens: 0, output_tokens: 0, model_calls: 1 }
  #metadata: unknown

  constructor(tools: readonly Tool[]) {
    this.#tools = tools
  }

  get isEmpty(): boolean {
    return !this.#text.trim() && this.#calls.length === 0
  }

  take(part: ModelPart): void {
    if (part.type === 'text') this.#text += part.text
    else if (part.type === 'reasoning') this.#reasoning += part.text
    else if (part.type === 'call') this.#calls.push(this.#readCall(part))
    else if (part.type === 'metadata') this.#metadata = part.data
    else if (part.type === 'retrying') this.#forget()
    else if (part.type === 'usage') {
      const { input_tokens, output_tokens, cost_usd } = part
      this.#usage = {
        input_tokens,
        output_tokens,
        ...(cost_usd !== undefined && { cost_usd }),
        model_calls: 1,
      }
    }
  }

  finish(): Reply {
    return {
      text: this.#text,
      ...(this.#reasoning && { reasoning: this.#reasoning }),
      calls: this.#calls,
      usage: this.#usage,
      ...(this.#metadata !== undefined && { metadata: this.#metadata }),
    }
  }

  /** What was thought before an attempt failed belongs to no reply. */
  #forget(): void {
    this.#reasoning = ''
    this.#metadata = undefined
  }

  #readCall({ id, name, arguments: text, invalid }: Extract<ModelPart, { type: 'call' }>): ToolCall {
    if (invalid !== undefined) return { id, name, input: {}, invalid }
    const tool = this.#tools.find((known) => known.name === name)
    const input = readInput(text || '{}', tool?.read_only ?? false)
    if (input === undefined)
      return { id, name, input: {}, invalid: `they are not JSON: ${text.slice(0, 200)}` }
    const problems = tool ? checkInput(tool.input, input) : []
    if (problems.length === 0) return { id, name, input: input as Record<string, unknown> }
    return { id, name, input: isObject(input) ? input : {}, invalid: problems.join('; ') }
  }
}

/** Slips are repaired; a value whose end had to be guessed is good enough for a tool that only looks. */
function readInput(text: string, readOnly: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const repaired = repairJson(text)
    return repaired && (readOnly || !repaired.guessed) ? repaired.value : undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const emptyReply = (label: string): Failure => ({
  kind: 'model',
  message: `${label} sent an empty reply`,
  hint: 'send the message again, or choose another model',
})
