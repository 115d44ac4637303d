import type { ModelPart } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import type { Limits } from './limits.ts'

type Checked = { part: ModelPart; progress: boolean } | { failure: Failure }

/** Counts what a reply consists of. A call that is too long is marked; a reply that is too long fails. */
export class ReplySize {
  readonly #label: string
  readonly #limits: Limits
  #text = 0
  #reasoning = 0
  #calls = 0
  #all = 0

  constructor(label: string, limits: Limits) {
    this.#label = label
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#text === 0 && this.#calls === 0
  }

  take(part: ModelPart): Checked {
    const size = sizeOf(part)
    this.#all += size
    if (part.type === 'text') this.#text += size
    if (part.type === 'reasoning') this.#reasoning += size
    if (part.type === 'call') this.#calls++
    const { text, calls, stream } = this.#limits
    if (this.#text > text || this.#reasoning > text) return this.#tooMuch(`${text} characters of text`)
    if (this.#calls > calls) return this.#tooMuch(`${calls} tool calls`)
    if (this.#all > stream) return this.#tooMuch(`${stream} characters`)
    return { part: part.type === 'call' ? this.#check(part) : part, progress: size > 0 }
  }

  #check(call: Extract<ModelPart, { type: 'call' }>): ModelPart {
    const { length } = call.arguments
    if (length <= this.#limits.arguments) return call
    return { ...call, arguments: '', invalid: describeLongArguments(length, this.#limits.arguments) }
  }

  #tooMuch(limit: string): Checked {
    const message = `${this.#label} sent more than ${limit} in one reply; the reply was dropped`
    return { failure: { kind: 'model', message, hint: 'ask for less at a time, or choose another model' } }
  }
}

export const describeLongArguments = (length: number, most: number): string =>
  `they are ${length} characters long, and at most ${most} can be taken; do it in several smaller calls`

function sizeOf(part: ModelPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length
    case 'call':
      return part.name.length + part.arguments.length
    case 'progress':
      return part.size
    case 'usage':
    case 'metadata':
    case 'retrying':
    case 'failed':
      return 0
  }
}
