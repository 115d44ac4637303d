import type { ModelPart } from '../../ports/model.ts'

/** Parts that are pushed on one side and awaited on the other. What comes after the end is dropped. */
export class PartQueue {
  readonly #waiting: ModelPart[] = []
  #wake: (() => void) | undefined
  #ended = false

  push(part: ModelPart): void {
    if (this.#ended) return
    this.#waiting.push(part)
    this.#wake?.()
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ModelPart> {
    for (;;) {
      yield* this.#waiting.splice(0)
      if (this.#waiting.length > 0) continue
      if (this.#ended) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
