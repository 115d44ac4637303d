import type { Model } from '../../src/ports/model.ts'

/**
 * A model that writes a lot: so many pieces of so many characters, a few in every round of the event loop, or with
 * `pause_ms` a few and then a pause.
 */
export function streamingModel({
  pieces,
  size,
  pause = 20,
  pause_ms,
}: {
  pieces: number
  size: number
  pause?: number
  pause_ms?: number
}): Model {
  return {
    label: 'streaming',
    async *stream(_request, signal) {
      const text = `${'x'.repeat(size - 1)} `
      for (let piece = 1; piece <= pieces && !signal.aborted; piece++) {
        yield { type: 'text', text }
        if (piece % pause !== 0) continue
        if (pause_ms === undefined) await new Promise((resolve) => setImmediate(resolve))
        else await new Promise((resolve) => setTimeout(resolve, pause_ms))
      }
      yield { type: 'usage', input_tokens: 1, output_tokens: pieces, cost_usd: 0 }
    },
  }
}
