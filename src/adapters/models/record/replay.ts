import { setTimeout as sleep } from 'node:timers/promises'
import type { Model, ModelPart } from '../../../ports/model.ts'
import { comparable } from './canonical.ts'
import { describeDifference } from './difference.ts'
import type { Names } from './names.ts'
import type { Recording } from './recording.ts'

export interface ReplayOptions {
  /** What is called otherwise this time: folders and ids. */
  names: Names
  /** Wait as long between parts as the model did. */
  real_time: boolean
  /** Told how a request differs from the recorded one. The turn ends there, unless this returns true. */
  onDifference: (difference: string) => boolean
}

/** The model of a recorded turn: it answers each request with what was answered then, if it is the same request. */
export function replayModel({ header, exchanges }: Recording, options: ReplayOptions): Model {
  const { names, real_time, onDifference } = options
  let next = 0
  return {
    label: header.model,
    ...(header.context_window && { context_window: header.context_window }),
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      const number = ++next
      const exchange = exchanges[number - 1]
      if (!exchange) return yield ended(header.turn_id, exchanges.length)
      const recorded = names.neutral(comparable(exchange.request))
      const difference = describeDifference(recorded, names.neutral(comparable(request)))
      if (difference) {
        const message = `request ${number} of ${header.turn_id} is not the recorded one\n${difference}`
        if (!onDifference(message)) return yield { type: 'failed', failure: { kind: 'input', message } }
      }
      let at = 0
      for (const { ms, part } of exchange.parts) {
        if (real_time) await sleep(ms - at, undefined, { signal }).catch(() => undefined)
        if (signal.aborted) return
        at = ms
        yield names.translate(part)
      }
      if (exchange.aborted && exchange.parts.at(-1)?.part.type !== 'failed') yield interrupted
    },
  }
}

const ended = (turn: string, count: number): ModelPart => ({
  type: 'failed',
  failure: {
    kind: 'input',
    message: `${turn} made ${count} requests when it was recorded, and now makes another`,
  },
})

const interrupted: ModelPart = {
  type: 'failed',
  failure: { kind: 'input', message: 'the recorded run was interrupted here' },
}
