import { CUT_CALL, isJson } from '../cut-call.ts'
import type { ModelPart } from '../../../ports/model.ts'
import { MAX_ARGUMENTS, MAX_CALLS } from '../resilient/limits.ts'
import { describeLongArguments } from '../resilient/reply-size.ts'

interface Call {
  id: string
  name: string
  arguments: string
  /** Of the arguments, with those that are not kept. */
  length: number
}

/** What servers send differs; nothing in it is taken for granted. */
type Wire = Record<string, unknown>

/** Puts the pieces of a streamed reply together. Tool calls come out whole, at the end. */
export class ReplyReader {
  readonly #calls: Call[] = []
  readonly #byIndex = new Map<unknown, Call>()
  /** The provider said that it was done; without that the stream was cut off. */
  finished = false
  /** The provider ended the reply because it was too long, so its last call is not whole. */
  #cut = false

  /** Throws a `SyntaxError` when the data is not JSON. A failure is the last part. */
  read(data: string): ModelPart[] {
    const chunk = asObject(JSON.parse(data))
    if (chunk['error']) {
      const message = `the provider reported: ${errorText(chunk['error'])}`
      return [{ type: 'failed', failure: { kind: 'model', message, retryable: true } }]
    }
    const parts: ModelPart[] = []
    const choice = asObject(asList(chunk['choices'])[0])
    const delta = asObject(choice['delta'] ?? choice['message'])
    const reasoning = textOf(delta['reasoning_content'] ?? delta['reasoning'])
    if (reasoning) parts.push({ type: 'reasoning', text: reasoning })
    const text = textOf(delta['content'])
    if (text) parts.push({ type: 'text', text })
    const size = this.#takeCalls(asList(delta['tool_calls']).map(asObject))
    if (size > 0) parts.push({ type: 'progress', size })
    if (this.#calls.length > MAX_CALLS) {
      const message = `the provider sent more than ${MAX_CALLS} tool calls in one reply`
      return [{ type: 'failed', failure: { kind: 'model', message } }]
    }
    if (choice['finish_reason']) this.finished = true
    if (choice['finish_reason'] === 'length') this.#cut = true
    if (chunk['usage']) {
      const usage = asObject(chunk['usage'])
      const [input_tokens, output_tokens] = [count(usage['prompt_tokens']), count(usage['completion_tokens'])]
      const cached_tokens = count(asObject(usage['prompt_tokens_details'])['cached_tokens'])
      parts.push({ type: 'usage', input_tokens, output_tokens, ...(cached_tokens > 0 && { cached_tokens }) })
    }
    return parts
  }

  calls(): ModelPart[] {
    return this.#calls.map(({ length, ...call }, index) => {
      if (length > MAX_ARGUMENTS) {
        const invalid = describeLongArguments(length, MAX_ARGUMENTS)
        return { type: 'call', ...call, arguments: '', invalid }
      }
      const cut = this.#cut && index === this.#calls.length - 1 && !isJson(call.arguments)
      return { type: 'call', ...call, ...(cut && { invalid: CUT_CALL }) }
    })
  }

  /** Some servers leave out the index, repeat one for a second call with a new id, or repeat the id with every piece. */
  #takeCalls(pieces: Wire[]): number {
    const taken = new Set<Call>()
    let size = 0
    for (const { index, id, function: target } of pieces) {
      const { name, arguments: given } = asObject(target)
      const known =
        typeof index === 'number' ? this.#byIndex.get(index) : this.#findCall(id, name !== undefined)
      const begins = !known || taken.has(known) || (id && known.id && id !== known.id && name)
      const call = begins ? { id: '', name: '', arguments: '', length: 0 } : known
      if (begins) this.#calls.push(call)
      taken.add(call)
      if (typeof index === 'number') this.#byIndex.set(index, call)
      call.id ||= textOf(id)
      call.name ||= textOf(name)
      const written = typeof given === 'string' ? given : given ? JSON.stringify(given) : ''
      // What is too long to be used is not kept either.
      if (call.length <= MAX_ARGUMENTS) call.arguments += written
      call.length += written.length
      size += written.length + (begins ? call.name.length : 0)
    }
    return size
  }

  /** Which call a piece without an index goes on with: the one of its id; with neither id nor name, the last one. */
  #findCall(id: unknown, named: boolean): Call | undefined {
    if (id) return this.#calls.find((call) => call.id === id)
    return named ? undefined : this.#calls.at(-1)
  }
}

const asObject = (value: unknown): Wire =>
  typeof value === 'object' && value !== null ? (value as Wire) : {}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)

/** Text is a string, or a list of parts some of which hold text. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return asList(value)
    .map((part) => asObject(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('')
}

function errorText(error: unknown): string {
  const message = typeof error === 'string' ? error : asObject(error)['message']
  return (typeof message === 'string' && message) || JSON.stringify(error)
}
