import type { Agent } from '../../src/engine/parts.ts'
import type { TurnOrder } from '../../src/engine/turns.ts'
import type { ModelPart, ModelRequest } from '../../src/ports/model.ts'
import type { TurnId } from '../../src/schema/ids.ts'
import { type Candidate, type Purpose, moveOf, readCandidates } from './minds.ts'
import { randomOf } from './random.ts'
import type { Scenario } from './scenario.ts'
import type { Life, Scheduler } from './scheduler.ts'

/** A call of a model as it happened, for the invariants. */
export interface RecordedCall {
  agent: string
  turn_id: TurnId
  purpose: Purpose
  /** How far the conversation was: the same number in the same turn is the same call. */
  replies: number
  life: number
  step: number
  /** How many of the run's events were stored when it began. */
  seq: number
  tools: readonly string[]
  /** The words of the prompt that must not be there, if any are. */
  leaks: readonly string[]
  candidates: readonly Candidate[]
  /** Every call in the conversation is followed by its result at once: providers refuse anything else. */
  wellFormed: boolean
  ended?: 'replied' | 'failed' | 'aborted'
}

export interface ModelWorld {
  scenario: Scenario
  scheduler: Scheduler
  life: Life
  calls: RecordedCall[]
  runSeq: () => number
}

/** The agent of a turn, with a model that does what its kind does. */
export function simulatedAgent(world: ModelWorld, id: string, order: TurnOrder): Agent {
  const { scenario, scheduler, life, calls, runSeq } = world
  const { settings, turn_id } = order
  const { speaks = 'tools' } = settings.team ?? {}
  const purpose = settings.team?.purpose ?? 'reply'
  return {
    id,
    model: {
      label: 'simulated',
      async *stream(request, signal): AsyncGenerator<ModelPart> {
        const replies = request.messages.filter(({ role }) => role === 'assistant').length
        const tools = request.tools.map(({ name }) => name)
        const shown = readCandidates(request)
        const call: RecordedCall = {
          ...{ agent: id, turn_id, purpose, replies, tools, candidates: shown.candidates },
          ...{ life: life.number, step: scheduler.steps, seq: runSeq() },
          leaks: leaksOf(scenario, id, purpose, request),
          wellFormed: isWellFormed(request),
        }
        calls.push(call)
        const random = randomOf('mind', scenario.seed, id, turn_id, replies)
        const move = moveOf(scenario.behaviours.get(id) ?? 'honest', {
          ...{ agent: id, purpose, speaks, replies, random, ...shown },
          tools: new Set(tools),
        })
        await scheduler.sleep(move.hangs ? 10 ** 9 : move.delay_ms, life, signal, `model ${id}`)
        if (signal.aborted) {
          call.ended = 'aborted'
          return
        }
        if (move.fails) {
          call.ended = 'failed'
          yield { type: 'failed', failure: { kind: 'model', message: move.fails } }
          return
        }
        call.ended = 'replied'
        if (move.text) yield { type: 'text', text: move.text }
        for (const [index, { name, input }] of (move.calls ?? []).entries())
          yield { type: 'call', id: `${index}`, name, arguments: JSON.stringify(input) }
        const input_tokens = random.between(100, 900)
        // Sixty-fourths of a dollar add up without rounding.
        const cost = scenario.unpriced ? {} : { cost_usd: random.between(0, 3) / 64 }
        yield { type: 'usage', input_tokens, output_tokens: random.between(1, 99), ...cost }
      },
    },
  }
}

function isWellFormed({ messages }: ModelRequest): boolean {
  let awaited: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!awaited.includes(message.call_id)) return false
      awaited = awaited.filter((id) => id !== message.call_id)
    } else {
      if (awaited.length > 0) return false
      if (message.role === 'assistant') awaited = message.calls.map(({ id }) => id)
    }
  }
  return awaited.length === 0
}

/** Who is who must not be told to a voter, nor that there is a vote where there is none. */
function leaksOf(
  { behaviours, settings }: Scenario,
  self: string,
  purpose: Purpose,
  { system, messages }: ModelRequest,
): string[] {
  if (purpose === 'present' || purpose === 'reply') return []
  const told = [
    system,
    ...messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])),
  ].join('\n')
  const names = [...behaviours.keys()].filter((name) => name !== self && told.includes(name))
  const itself = messages.some(
    (message) => message.role === 'assistant' && message.calls.some(({ name }) => name === 'vote'),
  )
  // A model that tries to vote anyway is told about its own call.
  if (!settings.coordination.skip_voting || itself) return names
  return /\bvot(e|es|ed|ing|ers?)\b/i.test(told) ? [...names, 'vote'] : names
}
