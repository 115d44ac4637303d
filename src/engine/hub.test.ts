import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openMemoryJournal } from '../adapters/journal/memory-journal.ts'
import type { Journal } from '../ports/journal.ts'
import { type Envelope, ENVELOPE_VERSION, type StoredEnvelope } from '../schema/envelope.ts'
import type { StreamId } from '../schema/ids.ts'
import { Hub, type Subscription } from './hub.ts'

/** Stores events as an engine does; publishing them is a second step. */
class Writer {
  readonly journal: Journal
  readonly stored: StoredEnvelope[] = []
  readonly #last = new Map<StreamId, number>()

  constructor(journal: Journal = openMemoryJournal()) {
    this.journal = journal
  }

  async store(stream: StreamId, at = '2026-01-01T00:00:00.000Z'): Promise<StoredEnvelope> {
    const after = this.#last.get(stream) ?? 0
    const event = { type: 'guidance.given', text: `${stream} ${after + 1}` } as const
    this.#last.set(stream, after + 1)
    await this.journal.append({ stream, after, at, events: [event] })
    const envelope = { v: ENVELOPE_VERSION, stream, seq: after + 1, at, event }
    this.stored.push(envelope)
    return envelope
  }
}

const live = (stream: StreamId, text: string): Envelope => ({
  v: ENVELOPE_VERSION,
  stream,
  seq: null,
  at: '2026-01-01T00:00:00.000Z',
  event: { type: 'text.delta', agent_id: 'a', text },
})

const nameOf = ({ stream, seq, event }: Envelope): string =>
  event.type === 'text.delta' ? `${stream} "${event.text}"` : `${stream} ${seq}`

/** Everything that is delivered until the subscription ends. */
async function drain(subscription: Subscription, each: () => unknown = () => {}): Promise<string[]> {
  const seen: string[] = []
  for await (const envelope of subscription) {
    seen.push(nameOf(envelope))
    await each()
  }
  return seen
}

describe('a subscriber that keeps up', () => {
  test('gets stored events and live text in the order they were published', async () => {
    const writer = new Writer()
    const hub = new Hub(writer.journal)
    const subscription = hub.subscribe()
    hub.publish([await writer.store('turn_a'), live('turn_a', 'hello'), await writer.store('turn_b')])
    subscription.close()

    expect(await drain(subscription)).toEqual(['turn_a 1', 'turn_a "hello"', 'turn_b 1'])
  })

  test('gets nothing after it closed', async () => {
    const writer = new Writer()
    const hub = new Hub(writer.journal)
    const subscription = hub.subscribe()
    subscription.close()
    hub.publish([await writer.store('turn_a')])

    expect(await drain(subscription)).toEqual([])
  })
})

describe('a subscriber that falls behind', () => {
  test('loses live text, and gets every stored event once it reads', async () => {
    const writer = new Writer()
    const hub = new Hub(writer.journal)
    const subscription = hub.subscribe(2)
    for (let index = 0; index < 5; index++) {
      hub.publish([await writer.store('turn_a'), live('turn_a', `${index}`)])
    }
    subscription.close()

    expect(await drain(subscription)).toEqual([
      ...['turn_a 1', 'turn_a "0"'],
      ...['turn_a 2', 'turn_a 3', 'turn_a 4', 'turn_a 5'],
    ])
  })

  test('sees streams in the order of their times, each in its own order even if the clock was set back', async () => {
    const writer = new Writer()
    const hub = new Hub(writer.journal)
    const subscription = hub.subscribe(0)
    hub.publish([await writer.store('turn_a', '2026-01-01T00:00:03.000Z')])
    hub.publish([await writer.store('turn_a', '2026-01-01T00:00:01.000Z')])
    hub.publish([await writer.store('turn_b', '2026-01-01T00:00:02.000Z')])
    subscription.close()

    expect(await drain(subscription)).toEqual(['turn_b 1', 'turn_a 1', 'turn_a 2'])
  })

  test('does not get an event twice that was in the journal before it was published', async () => {
    const writer = new Writer()
    const hub = new Hub(writer.journal)
    const subscription = hub.subscribe(1)
    hub.publish([await writer.store('turn_a'), await writer.store('turn_a')])
    const early = await writer.store('turn_a')
    const seen: string[] = []
    for await (const envelope of subscription) {
      seen.push(nameOf(envelope))
      if (envelope.seq !== 3) continue
      // It came from the journal; now its writer gets round to publishing it, and the next one.
      hub.publish([early])
      hub.publish([await writer.store('turn_a')])
      subscription.close()
    }

    expect(seen).toEqual(['turn_a 1', 'turn_a 2', 'turn_a 3', 'turn_a 4'])
  })

  test('does not lose what is published while the journal is being read', async () => {
    const slow = pausing(openMemoryJournal())
    const writer = new Writer(slow.journal)
    const hub = new Hub(slow.journal)
    const subscription = hub.subscribe(1)
    hub.publish([await writer.store('turn_a'), await writer.store('turn_a')])
    hub.publish([await writer.store('turn_b')])
    slow.onRead = async (stream) => {
      if (stream !== 'turn_a') return
      slow.onRead = async () => {}
      hub.publish([await writer.store('turn_a'), live('turn_a', 'lost'), await writer.store('turn_a')])
    }
    setImmediate(() => subscription.close())

    const seen = await drain(subscription)
    expect(seen.filter((name) => name.startsWith('turn_a'))).toEqual(
      [1, 2, 3, 4].map((seq) => `turn_a ${seq}`),
    )
    expect(seen.filter((name) => name.startsWith('turn_b'))).toEqual(['turn_b 1'])
  })

  test('catches up even while others keep it busy', async () => {
    const writer = new Writer()
    const hub = new Hub(writer.journal)
    const subscription = hub.subscribe(3)
    for (let index = 0; index < 4; index++) hub.publish([live('turn_b', `${index}`)])
    hub.publish([await writer.store('turn_a')])
    const seen: string[] = []
    for await (const envelope of subscription) {
      seen.push(nameOf(envelope))
      if (envelope.stream === 'turn_a') break
      hub.publish([live('turn_b', 'noise')])
      if (seen.length > 50) break
    }

    expect(seen.at(-1)).toBe('turn_a 1')
  })

  test('keeps no more than its backlog, and holds up nobody', async () => {
    const writer = new Writer()
    const hub = new Hub(writer.journal)
    const [never, quick] = [hub.subscribe(5), hub.subscribe()]
    for (let index = 0; index < 500; index++) {
      hub.publish([await writer.store('turn_a'), live('turn_a', 'x'.repeat(100))])
    }
    quick.close()
    expect(await drain(quick)).toHaveLength(1_000)

    // What it kept comes without a look at the journal: of 500 live texts only those that fitted.
    never.close()
    const kept = await drain(never)
    expect(kept.filter((name) => name.includes('"'))).toHaveLength(2)
    expect(kept.filter((name) => !name.includes('"'))).toHaveLength(500)
  })
})

type Step =
  | { kind: 'store'; stream: StreamId }
  | { kind: 'publish' }
  | { kind: 'live'; stream: StreamId }
  | { kind: 'turns'; count: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<StreamId>('chat_1', 'turn_a', 'turn_b')
      .map((stream): Step => ({ kind: 'store', stream })),
  },
  { weight: 4, arbitrary: fc.constant<Step>({ kind: 'publish' }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom<StreamId>('turn_a', 'turn_b')
      .map((stream): Step => ({ kind: 'live', stream })),
  },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map((count): Step => ({ kind: 'turns', count })) },
)

test('whatever the timing of storing, publishing and reading: every stored event of a stream once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { maxLength: 60 }),
      fc.integer({ min: 0, max: 4 }),
      fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
      async (steps, backlog, pace) => {
        const slow = pausing(openMemoryJournal())
        const writer = new Writer(slow.journal)
        const hub = new Hub(slow.journal)
        const subscription = hub.subscribe(backlog)
        let turn = 0
        const dawdle = () => ticks(pace[turn++ % pace.length] ?? 0)
        slow.onRead = dawdle
        const reading = drain(subscription, dawdle)
        let published = 0
        for (const step of steps) {
          if (step.kind === 'store') await writer.store(step.stream)
          else if (step.kind === 'live') hub.publish([live(step.stream, 'x')])
          else if (step.kind === 'turns') await ticks(step.count)
          else if (published < writer.stored.length) hub.publish(writer.stored.slice(published, ++published))
        }
        hub.publish(writer.stored.slice(published))
        subscription.close()

        const seen = await reading
        for (const stream of ['chat_1', 'turn_a', 'turn_b']) {
          const ofStream = (name: string) => name.startsWith(stream) && !name.includes('"')
          expect(seen.filter(ofStream)).toEqual(writer.stored.map(nameOf).filter(ofStream))
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

async function ticks(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await undefined
}

/** A real journal whose answers take as long as `onRead`, as those of a database across a network do. */
function pausing(journal: Journal): { journal: Journal; onRead: (stream: StreamId) => Promise<void> } {
  const slow = {
    onRead: async (_stream: StreamId) => {},
    journal: {
      ...journal,
      async read(stream: StreamId, after?: number) {
        const events = await journal.read(stream, after)
        await slow.onRead(stream)
        return events
      },
    },
  }
  return slow
}
