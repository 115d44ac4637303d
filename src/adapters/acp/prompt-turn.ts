import type { ModelHost, ModelPart } from '../../ports/model.ts'
import type { Failure } from '../../schema/failure.ts'
import { accessOf } from './call-access.ts'
import type { AgentConnection, Listener } from './connect-agent.ts'
import { describeProblem, describeStop, silent } from './failure.ts'
import type { AcpLimits, AcpOptions } from './options.ts'
import { PartQueue } from './part-queue.ts'
import { type Json, asCount, asList, asObject, asText } from './read-json.ts'
import { type ToolCallState, inputOf, mergeCall, outputOf } from './tool-call.ts'

interface Circumstances {
  connection: AgentConnection
  host: ModelHost
  limits: AcpLimits
  analyze: AcpOptions['analyze']
  /** What the session had cost before. */
  cost: number
}

/** One prompt, from sending it to the agent's end: what the agent reports becomes parts, observations and questions. */
export class PromptTurn implements Listener {
  readonly parts = new PartQueue()
  /** What the session has cost so far, where the agent says so. */
  cost: number
  readonly #given: Circumstances
  readonly #calls = new Map<string, ToolCallState>()
  readonly #finished = new Set<string>()
  readonly #tokens = { input: 0, output: 0, cached: 0 }
  readonly #cancelled = Promise.withResolvers<undefined>()
  #told: Promise<void> = Promise.resolve()
  /** The last character of the text, and nothing before there is one. */
  #last = ''
  #size = 0
  #gap = false
  #asking = 0
  #heard = performance.now()
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor(given: Circumstances) {
    this.#given = given
    this.cost = given.cost
    this.#watch()
  }

  update(update: Json): void {
    if (this.#over) return
    this.#heard = performance.now()
    this.#count(asObject(asObject(update['_meta'])['usage']))
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#say('text', contentText(update))
      case 'agent_thought_chunk':
        return this.#say('reasoning', contentText(update))
      case 'plan':
        return this.#say('reasoning', describePlan(update))
      case 'tool_call':
      case 'tool_call_update':
        return this.#note(update)
      case 'usage_update': {
        const { amount, currency } = asObject(update['cost'])
        if (currency === 'USD') this.cost = asCount(amount) ?? this.cost
      }
    }
  }

  async choose(request: Json): Promise<string | undefined> {
    if (this.#over) return undefined
    const { host, analyze } = this.#given
    const call = this.#merge(asObject(request['toolCall']))
    this.#asking += 1
    try {
      const { name, access, read_only } = await accessOf(call, host.folder, analyze)
      const asked = host.approve({ name, input: inputOf(call), read_only, access })
      const answer = await Promise.race([asked, this.#cancelled.promise])
      if (answer === undefined) return undefined
      const choice = findOption(asList(request['options']), answer)
      if (choice.refuses) this.#refuse(call.id)
      return choice.id
    } catch {
      // The turn is over: nobody is left to be asked.
      return undefined
    } finally {
      this.#asking -= 1
      this.#heard = performance.now()
    }
  }

  /** The agent has answered the prompt. */
  async finish(response: Json): Promise<void> {
    if (this.#over) return
    const { connection } = this.#given
    const failure = describeStop(connection.label, response['stopReason'])
    for (const call of this.#calls.values()) if (call.status === 'in_progress') this.#report(call)
    await this.#told
    if (failure) return this.fail(failure)
    const whole = asObject(response['usage'])
    if (asCount(whole['inputTokens']) !== undefined)
      Object.assign(this.#tokens, { input: 0, output: 0, cached: 0 })
    this.#count(whole)
    if (this.#last === '' && this.#finished.size > 0)
      this.#say('text', '(The agent ended its work without a word.)')
    const usage = this.#usage()
    if (usage) this.parts.push(usage)
    this.stop()
  }

  async failBecause(error: unknown): Promise<void> {
    await this.#told
    this.fail(describeProblem(error, this.#given.connection, 'while it worked'))
  }

  fail(failure: Failure): void {
    if (this.#over) return
    this.parts.push({ type: 'failed', failure })
    this.stop()
  }

  /** From here on the agent is not listened to, and what it asks is answered with "cancelled". */
  stop(): void {
    this.#over = true
    clearTimeout(this.#timer)
    this.#cancelled.resolve(undefined)
    this.parts.end()
  }

  #say(type: 'text' | 'reasoning', words: string): void {
    if (words === '') return
    this.#size += words.length
    const { limits } = this.#given
    if (this.#size > limits.text) return this.#flood(`${limits.text} characters`)
    if (type === 'reasoning') return this.parts.push({ type, text: words })
    // What is said after a tool was used is a paragraph of its own.
    const gap = this.#gap && this.#last !== '' && this.#last !== '\n' ? '\n\n' : ''
    this.#gap = false
    this.#last = words.at(-1) ?? this.#last
    this.parts.push({ type, text: gap + words })
  }

  #note(update: Json): void {
    const call = this.#merge(update)
    if (call.status !== 'completed' && call.status !== 'failed') return
    this.#report(call)
  }

  #merge(update: Json): ToolCallState {
    const id = asText(update['toolCallId']) ?? ''
    const call = mergeCall(this.#calls.get(id), update, performance.now())
    this.#gap = true
    if (this.#finished.has(id)) return call
    this.#calls.set(id, call)
    if (this.#calls.size + this.#finished.size > this.#given.limits.calls)
      this.#flood(`${this.#given.limits.calls} tool calls`)
    return call
  }

  #refuse(id: string): void {
    const call = this.#calls.get(id)
    if (call) this.#calls.set(id, { ...call, refused: true })
  }

  /** Told in the order things ended, and all of it before the reply. */
  #report(call: ToolCallState): void {
    if (this.#finished.has(call.id)) return
    this.#calls.delete(call.id)
    this.#finished.add(call.id)
    const { host, analyze } = this.#given
    const duration_ms = Math.round(performance.now() - call.began)
    const success = call.status === 'completed'
    const output =
      outputOf(call) || (success || call.status === 'failed' ? '' : 'The agent did not say how it ended.')
    this.#told = this.#told.then(async () => {
      const { name, access, looked } = await accessOf(call, host.folder, analyze)
      // In Plan mode the kernel sees to it that nothing is changed, whatever the tool is.
      const read_only = looked || call.refused || host.chat_mode === 'Plan'
      const done = { name, input: inputOf(call), access, read_only }
      await host.observed({ ...done, success, output, duration_ms }).catch(() => undefined)
    })
  }

  #flood(what: string): void {
    const { connection } = this.#given
    this.fail({
      kind: 'limit',
      message: `${connection.label} sent more than ${what} in one reply, so it was ended`,
      hint: 'ask for less at a time, or choose another agent',
    })
    void connection.process.end('it sent too much')
  }

  /** Some agents say it with every reply of their model, some at the end. */
  #count({ inputTokens, outputTokens, cachedReadTokens }: Json): void {
    this.#tokens.input += asCount(inputTokens) ?? 0
    this.#tokens.output += asCount(outputTokens) ?? 0
    this.#tokens.cached += asCount(cachedReadTokens) ?? 0
  }

  #usage(): ModelPart | undefined {
    const { input, output, cached } = this.#tokens
    const spent = this.cost - this.#given.cost
    if (input + output === 0 && spent <= 0) return undefined
    return {
      type: 'usage',
      input_tokens: input,
      output_tokens: output,
      ...(cached > 0 && { cached_tokens: cached }),
      ...(spent > 0 && { cost_usd: spent }),
    }
  }

  #watch(): void {
    const { limits, connection } = this.#given
    const working = [...this.#calls.values()].some(({ status }) => status === 'in_progress')
    const allowed = working ? limits.tool_silence_ms : limits.silence_ms
    const left = this.#asking > 0 ? allowed : this.#heard + allowed - performance.now()
    if (left > 0) {
      // A tool may end meanwhile, and the shorter limit begins to count.
      this.#timer = setTimeout(() => this.#watch(), Math.min(left, limits.silence_ms))
      return
    }
    this.fail(silent(connection.label, allowed, connection.process))
    void connection.process.end('it was silent')
  }
}

/** "Always" would be the agent's to keep: the person said yes to this one thing. */
function findOption(
  options: readonly Json[],
  answer: 'allow' | 'deny',
): { id: string | undefined; refuses: boolean } {
  const find = (kind: string): string | undefined =>
    asText(options.find((option) => option['kind'] === kind)?.['optionId'])
  const allowed = answer === 'allow' ? find('allow_once') : undefined
  if (allowed !== undefined) return { id: allowed, refuses: false }
  return { id: find('reject_once') ?? find('reject_always'), refuses: true }
}

const contentText = ({ content }: Json): string => asText(asObject(content)['text']) ?? ''

const describePlan = ({ entries }: Json): string => {
  const lines = asList(entries).map(
    ({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${String(content)}`,
  )
  return lines.length > 0 ? `Plan:\n${lines.join('\n')}\n` : ''
}
