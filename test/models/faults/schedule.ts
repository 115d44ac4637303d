import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAiCompatible } from '../../../src/adapters/models/openai-compatible/openai-compatible.ts'
import type { Limits } from '../../../src/adapters/models/resilient/limits.ts'
import { resilient } from '../../../src/adapters/models/resilient/resilient.ts'
import type { Model } from '../../../src/ports/model.ts'
import type { TurnState } from '../../../src/core/turn/state.ts'
import { type Answer, delta, faultServer, says, streams } from '../../support/fault-server.ts'
import { Workbench } from '../../support/workbench.ts'
import { type Fault, effect, faults, refusals } from './faults.ts'
import { pick, seeded } from './seeded.ts'

/** Everything a thousand times faster than for people. */
export const shortLimits: Partial<Limits> = {
  first_ms: 120,
  progress_ms: 120,
  whole_ms: 2_000,
  text: 20_000,
  arguments: 10_000,
  calls: 16,
  stream: 1_000_000,
  patience_ms: 1_000,
  first_delay_ms: 1,
  longest_delay_ms: 20,
  breaker_ms: 2,
  budget_per_second: 1_000,
}

export interface Scheduled {
  /** The faults, in the order of the requests. */
  plan: string[]
  outcome: TurnState['outcome']
  failure: string | undefined
  /** Of a turn without faults afterwards. */
  next: TurnState['outcome']
  /** Effects that happened more than once, or that belong to a reply that was not whole. */
  wrong: string[]
  requests: number
  effects: number
}

/** A seeded choice of faults. */
export function planFaults(seed: number): Fault[] {
  const random = seeded(seed)
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
    pick(random, random() < 0.25 ? refusals : faults),
  )
}

/** One turn through a schedule of faults, then a turn without any. */
export async function runSchedule(
  plan: readonly Fault[],
  client: (url: string) => Model = hasty,
): Promise<Scheduled> {
  const allowed = new Set<string>()
  let healed = false
  const answer: Answer = async (response, request) => {
    const count = server.requests.length
    const fault = healed ? undefined : plan[count - 1]
    const id = `effect-${count}`
    if (!fault) return clean(id, allowed)(response, request)
    if (fault.whole) for (const each of [id, `${id}-a`, `${id}-b`]) allowed.add(each)
    await fault.answer(id)(response, request)
    if (fault.restarts) await server.restart(5)
  }
  const server = await faultServer(answer)
  const bench = new Workbench({ model: either(client(server.url), patient(server.url), () => healed) })
  const state = await runToEnd(bench, 'do it')
  healed = true
  const next = await runToEnd(bench, 'once more')
  const file = join(bench.folder, 'effects.txt')
  const effects = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const wrong = effects.filter((id, index) => !allowed.has(id) || effects.indexOf(id) !== index)
  return {
    plan: plan.map(({ name }) => name),
    outcome: state.outcome,
    failure: state.failure?.message,
    next: next.outcome,
    wrong,
    requests: server.requests.length,
    effects: effects.length,
  }
}

export const open = (url: string, limits: Partial<Limits>): Model =>
  resilient(openAiCompatible({ base_url: url, model: 'm' }), { provider: url, limits })

export const hasty = (url: string): Model => open(url, shortLimits)

/** The same provider, with the time that a busy machine needs. */
export const patient = (url: string): Model => open(url, { ...shortLimits, ...patience })

const patience = { first_ms: 20_000, progress_ms: 20_000, whole_ms: 20_000, patience_ms: 20_000 }

export const either = (first: Model, second: Model, isSecond: () => boolean): Model => ({
  label: 'm',
  stream: (...asked) => (isSecond() ? second : first).stream(...asked),
})

/** One call, then an answer. */
function clean(id: string, allowed: Set<string>): Answer {
  return (response, request) => {
    const { messages } = JSON.parse(request.body) as { messages: { role: string }[] }
    if (messages.at(-1)?.role === 'tool') return says('done')(response, request)
    allowed.add(id)
    return streams(delta({ tool_calls: [effect(id)] }), delta({}, 'tool_calls'))(response, request)
  }
}

/** A turn that asks for a person is ended: nobody is there. */
async function runToEnd(bench: Workbench, text: string): Promise<TurnState> {
  const turn = await bench.start(text)
  let over = false
  const idle = bench.engine.whenIdle(bench.chat).then(() => (over = true))
  while (!over) {
    await Promise.race([idle, sleep(20)])
    if ((await bench.engine.turn(turn)).pendings.length > 0)
      await bench.engine.execute({ type: 'interrupt', chat_id: bench.chat })
  }
  return bench.engine.turn(turn)
}
