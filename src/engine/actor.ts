import { type Aggregate, type Keyed, type Rejected, isRejected } from '../core/aggregate.ts'
import type { Clock } from '../ports/clock.ts'
import type { Commit, IndexChange, Journal } from '../ports/journal.ts'
import { type DurableEvent, ENVELOPE_VERSION, type StoredEnvelope } from '../schema/envelope.ts'
import type { StreamId } from '../schema/ids.ts'

export interface ActorParts<S, I, E extends DurableEvent, F extends Keyed> {
  stream: StreamId
  aggregate: Aggregate<S, I, E, F>
  journal: Journal
  clock: Clock
  publish: (envelopes: StoredEnvelope[]) => void
  /** Does the work and returns what came of it. Ends soon after the signal; a result after that is dropped. */
  perform: (effect: F, signal: AbortSignal) => Promise<I>
  /** Our own mistake, as an input the aggregate can record; throws when it cannot, which ends the actor. */
  onBug: (error: unknown) => I
  index: (event: E) => IndexChange | undefined
}

/** Events of a long log that are read at a time, so that others get their turn. */
const PAGE = 2_000

/** Work that ends without a decision: its log stays as it is, and whoever opens it next goes on from there. */
export class Stopped extends Error {
  constructor() {
    super('the program is shutting down')
    this.name = 'Stopped'
  }
}

/** Whether work was told to end. What is to stop where it is waits for that instead: nothing follows from it. */
export async function isToldToEnd({ signal, stop }: Ends): Promise<boolean> {
  if (!stop.aborted) return false
  if (stop.reason instanceof Stopped) await aborted(signal)
  return true
}

/** `signal` is the effect's own; `stop` belongs to the whole of which it is a part. */
export interface Ends {
  signal: AbortSignal
  stop: AbortSignal
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * The only writer of one stream: fold, decide, append, publish, perform. Inputs are taken one at a time; an effect runs
 * as long as the state asks for its key and is aborted when it no longer does.
 */
export class Actor<S, I, E extends DurableEvent, F extends Keyed> {
  state: S
  seq = 0
  readonly #parts: ActorParts<S, I, E, F>
  readonly #running = new Map<string, AbortController>()
  readonly #work = new Set<Promise<void>>()
  #waiters: {
    until: (state: S) => boolean
    resolve: (state: S) => void
    reject: (error: unknown) => void
  }[] = []
  #queue: Promise<unknown> = Promise.resolve()
  #broken: unknown
  #stopped = false

  constructor(parts: ActorParts<S, I, E, F>) {
    this.#parts = parts
    this.state = parts.aggregate.initial
  }

  /** Reads what the log holds. Nothing is performed before `start`. */
  async load(): Promise<void> {
    const { aggregate, journal, stream } = this.#parts
    for (;;) {
      const page = await journal.read(stream, this.seq, PAGE)
      for (const { event, seq } of page) {
        this.state = aggregate.evolve(this.state, event as E)
        this.seq = seq
      }
      if (page.length < PAGE) return
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Begins to perform what the state asks for. */
  start(): void {
    this.#reconcile()
  }

  /** The state and the sequence number that belongs to it. */
  head(): Promise<{ state: S; seq: number }> {
    return this.#queue.then(() => ({ state: this.state, seq: this.seq }))
  }

  /** Resolves when the decision is stored. Nobody has to wait: an actor that cannot store tells those who do. */
  send(input: I): Promise<Rejected | undefined> {
    const result = this.#queue.then(() => this.#decide(input))
    this.#queue = result.catch(() => undefined)
    return result
  }

  /** The first state, now or later, for which `until` holds. */
  when(until: (state: S) => boolean): Promise<S> {
    if (this.#broken) return Promise.reject(this.#broken)
    if (until(this.state)) return Promise.resolve(this.state)
    if (this.#stopped) return Promise.reject(new Stopped())
    return new Promise((resolve, reject) => this.#waiters.push({ until, resolve, reject }))
  }

  /** Ends all work without a decision and waits until it has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#halt(new Stopped())
    await Promise.all([...this.#work, this.#queue])
  }

  async #decide(input: I): Promise<Rejected | undefined> {
    if (this.#broken) throw this.#broken
    const { aggregate, publish } = this.#parts
    const events = aggregate.decide(this.state, input)
    if (isRejected(events)) return events
    if (this.#stopped) return { rejected: 'the program is shutting down' }
    if (events.length === 0) return undefined
    const envelopes = await this.#append(events)
    for (const event of events) this.state = aggregate.evolve(this.state, event)
    publish(envelopes)
    this.#reconcile()
    this.#wake()
    return undefined
  }

  async #append(events: E[]): Promise<StoredEnvelope[]> {
    const { stream, journal, clock, index } = this.#parts
    const at = new Date(clock.now()).toISOString()
    const commit: Commit = { stream, after: this.seq, at, events, index: mergeIndex(events.map(index)) }
    try {
      await journal.append(commit)
    } catch (error) {
      this.#break(error)
      throw error
    }
    return events.map((event) => ({ v: ENVELOPE_VERSION, stream, seq: ++this.seq, at, event }))
  }

  #reconcile(): void {
    if (this.#stopped || this.#broken) return
    const wanted = new Map(this.#parts.aggregate.effects(this.state).map((effect) => [effect.key, effect]))
    for (const [key, controller] of this.#running) {
      if (wanted.has(key)) continue
      this.#running.delete(key)
      controller.abort()
    }
    for (const [key, effect] of wanted) {
      if (!this.#running.has(key)) this.#begin(key, effect)
    }
  }

  #wants(key: string): boolean {
    return this.#parts.aggregate.effects(this.state).some((effect) => effect.key === key)
  }

  #begin(key: string, effect: F): void {
    const controller = new AbortController()
    this.#running.set(key, controller)
    const work = this.#run(key, effect, controller.signal).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  async #run(key: string, effect: F, signal: AbortSignal): Promise<void> {
    try {
      const input = await this.#outcome(effect, signal)
      if (signal.aborted) return
      // The key stays taken until the decision is stored; otherwise the effect could be started a second time.
      const refused = await this.send(input)
      // Still wanted although its result was refused: doing it again would never end.
      if (refused && this.#wants(key)) await this.send(this.#parts.onBug(new Error(refused.rejected)))
    } catch (error) {
      if (!signal.aborted) this.#break(error)
    }
    if (this.#running.get(key)?.signal === signal) this.#running.delete(key)
    this.#reconcile()
  }

  /** The one catch for bugs: an effect that threw becomes an input, and the aggregate says what follows from it. */
  async #outcome(effect: F, signal: AbortSignal): Promise<I> {
    try {
      return await this.#parts.perform(effect, signal)
    } catch (error) {
      return this.#parts.onBug(error)
    }
  }

  #break(error: unknown): void {
    if (this.#broken) return
    this.#broken = error
    this.#halt(error)
  }

  /** Aborts with `Stopped`, so that nested work ends without a decision too. */
  #halt(reason: unknown): void {
    for (const controller of this.#running.values()) controller.abort(new Stopped())
    for (const { reject } of this.#waiters) reject(reason)
    this.#waiters = []
  }

  #wake(): void {
    const ready = this.#waiters.filter(({ until }) => until(this.state))
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter))
    for (const { resolve } of ready) resolve(this.state)
  }
}

function mergeIndex(changes: (IndexChange | undefined)[]): IndexChange | undefined {
  const merged: IndexChange = {}
  for (const change of changes) {
    if (change?.entry) merged.entry = { ...merged.entry, ...change.entry }
    if (change?.texts) merged.texts = [...(merged.texts ?? []), ...change.texts]
    if (change?.links) merged.links = [...(merged.links ?? []), ...change.links]
  }
  return merged
}
