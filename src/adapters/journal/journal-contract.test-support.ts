import { describe, expect, it, onTestFinished } from 'vitest'
import { JournalError, type Commit, type IndexChange, type Journal } from '../../ports/journal.ts'
import type { DurableEvent } from '../../schema/envelope.ts'
import type { StreamId } from '../../schema/ids.ts'

/** Opens journals over the same storage, as processes would, and clears the storage away at the end. */
export interface JournalStorage {
  open(owner?: string): Promise<Journal>
  dispose(): Promise<void>
}

export const said = (text: string): DurableEvent => ({ type: 'guidance.given', text })

export function commitOf(stream: StreamId, after: number, texts: string[], index?: IndexChange): Commit {
  const at = `2026-03-01T10:00:${String(after % 60).padStart(2, '0')}.000Z`
  return { stream, after, at, events: texts.map(said), ...(index ? { index } : {}) }
}

export async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof JournalError)) throw new Error('expected a JournalError', { cause: error })
  return error.problem
}

/** What every journal must do, whatever it keeps its records in. */
export function describeJournal(name: string, createStorage: () => Promise<JournalStorage>): void {
  async function setUp(): Promise<JournalStorage['open']> {
    const storage = await createStorage()
    const opened: Journal[] = []
    onTestFinished(async () => {
      for (const journal of opened) await journal.close()
      await storage.dispose()
    })
    return async (owner) => {
      const journal = await storage.open(owner)
      opened.push(journal)
      return journal
    }
  }

  describe(`${name}: events`, () => {
    it('returns what was appended, in order and numbered from 1', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a', 'b']))
      await journal.append(commitOf('chat_1', 2, ['c']))
      await journal.append(commitOf('chat_2', 0, ['other']))

      expect(await journal.read('chat_1')).toEqual([
        { v: 1, stream: 'chat_1', seq: 1, at: '2026-03-01T10:00:00.000Z', event: said('a') },
        { v: 1, stream: 'chat_1', seq: 2, at: '2026-03-01T10:00:00.000Z', event: said('b') },
        { v: 1, stream: 'chat_1', seq: 3, at: '2026-03-01T10:00:02.000Z', event: said('c') },
      ])
      expect((await journal.read('chat_1', 2)).map(({ seq }) => seq)).toEqual([3])
      expect(await journal.read('chat_1', 3)).toEqual([])
      expect([await journal.last('chat_1'), await journal.last('chat_unknown')]).toEqual([3, 0])
      expect((await journal.read('chat_1', 1, 1)).map(({ seq }) => seq)).toEqual([2])
      expect((await journal.read('chat_1', 1, 9)).map(({ seq }) => seq)).toEqual([2, 3])
      expect(await journal.read('chat_unknown')).toEqual([])
    })

    it('keeps any text as it is', async () => {
      const journal = await (await setUp())()
      const text = 'zero \0, lone \ud800, emoji 🙂, quote \' " \\ and \u2028'
      await journal.append(commitOf('chat_1', 0, [text]))

      expect((await journal.read('chat_1')).map(({ event }) => event)).toEqual([said(text)])
    })

    it('shares nothing with its callers', async () => {
      const journal = await (await setUp())()
      const event = { type: 'guidance.given' as const, text: 'before' }
      await journal.append({ ...commitOf('chat_1', 0, []), events: [event] })
      event.text = 'changed by the writer'
      const [read] = await journal.read('chat_1')
      Object.assign(read?.event ?? {}, { text: 'changed by a reader' })

      expect((await journal.read('chat_1'))[0]?.event).toEqual(said('before'))
    })

    it('refuses a commit after any other number than the last', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a', 'b']))

      expect(await problemOf(journal.append(commitOf('chat_1', 1, ['x'])))).toBe('conflict')
      expect(await problemOf(journal.append(commitOf('chat_1', 3, ['x'])))).toBe('conflict')
      expect(await problemOf(journal.append(commitOf('chat_1', 0, ['x'])))).toBe('conflict')
      expect(await problemOf(journal.append(commitOf('chat_new', 4, ['x'])))).toBe('conflict')
      await journal.append(commitOf('chat_1', 2, ['c']))
      expect(await journal.read('chat_1')).toHaveLength(3)
    })

    it('stores nothing at all of a refused commit', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a'], { entry: { kind: 'chat', title: 'kept' } }))
      const index = { entry: { kind: 'chat', title: 'lost' }, texts: ['lost'], links: ['turn_1' as const] }
      await problemOf(journal.append(commitOf('chat_1', 7, ['x'], index)))

      expect(await journal.entry('chat_1')).toMatchObject({ title: 'kept' })
      expect(await journal.search('lost', 9)).toEqual([])
    })

    it('accepts a commit that only changes the index', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, [], { entry: { kind: 'chat', title: 'Early' } }))
      await journal.append(commitOf('chat_1', 0, ['a']))
      await journal.append(commitOf('chat_1', 1, [], { entry: { kind: 'chat', title: 'Late' } }))

      expect(await journal.read('chat_1')).toHaveLength(1)
      expect(await journal.entry('chat_1')).toMatchObject({ title: 'Late' })
    })
  })

  describe(`${name}: index`, () => {
    it('merges what commits say about an entry', async () => {
      const journal = await (await setUp())()
      const entry = { kind: 'chat', title: 'First', folder: '/home/x', status: 'idle' }
      await journal.append(commitOf('chat_1', 0, ['a'], { entry }))
      await journal.append(commitOf('chat_1', 1, ['b'], { entry: { kind: 'chat', status: 'busy' } }))
      await journal.append(commitOf('chat_1', 2, ['c']))

      expect(await journal.entry('chat_1')).toEqual({
        stream: 'chat_1',
        ...entry,
        status: 'busy',
        created_at: '2026-03-01T10:00:00.000Z',
        updated_at: '2026-03-01T10:00:02.000Z',
      })
      expect(await journal.entry('chat_2')).toBeUndefined()
    })

    it('lists a kind, latest updated first', async () => {
      const journal = await (await setUp())()
      const entry = { kind: 'chat' }
      await journal.append(commitOf('chat_old', 0, ['a'], { entry }))
      await journal.append(commitOf('chat_new', 0, ['a'], { entry }))
      await journal.append(commitOf('run_1', 0, ['a'], { entry: { kind: 'run' } }))
      await journal.append(commitOf('chat_old', 1, ['b']))

      expect((await journal.list('chat')).map(({ stream }) => stream)).toEqual(['chat_old', 'chat_new'])
      expect((await journal.list('run')).map(({ stream }) => stream)).toEqual(['run_1'])
      expect(await journal.list('plan')).toEqual([])
    })

    it('finds texts with all the words, the last one unfinished', async () => {
      const journal = await (await setUp())()
      const texts = [
        'the parser loses commas',
        'Parser: rewrite it in terms of commas and more commas',
        'other',
      ]
      await journal.append(commitOf('chat_1', 0, ['a'], { entry: { kind: 'chat', title: 'T' }, texts }))
      await journal.append(commitOf('turn_1', 0, ['a'], { texts: ['a parser without comments'] }))

      const hits = await journal.search('PARSER com', 9)
      expect(hits).toHaveLength(3)
      expect(hits).toContainEqual({
        stream: 'chat_1',
        title: 'T',
        excerpt: 'the parser loses commas',
        at: '2026-03-01T10:00:00.000Z',
      })
      expect(hits.find(({ stream }) => stream === 'turn_1')?.title).toBe('')
      expect(await journal.search('parser com', 1)).toHaveLength(1)
      expect(await journal.search('pars commas', 9)).toEqual([])
    })

    it('finds the text that is most about the words first', async () => {
      const journal = await (await setUp())()
      const filler = Array.from({ length: 60 }, (_, number) => `word${number}`).join(' ')
      const texts = ['zebra crossing', `zebra ${filler}`, `horse ${filler}`]
      await journal.append(commitOf('chat_1', 0, ['a'], { texts }))

      const hits = await journal.search('zebra', 9)
      expect(hits).toHaveLength(2)
      expect(hits[0]?.excerpt).toBe('zebra crossing')
    })

    it.each([
      '"',
      '""',
      '*',
      '(',
      'NEAR(',
      'AND',
      'a OR',
      'text:',
      '-',
      "'",
      '^',
      'x"*',
      '\0',
      '"a" NOT',
      '🙂',
    ])('takes %j as words to look for', async (typed) => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a'], { texts: ['needle'] }))

      expect(await journal.search(typed, 9)).toEqual([])
      expect(await journal.search(`${typed} needle`, 9)).toHaveLength(/[a-z]/iu.test(typed) ? 0 : 1)
    })

    it('finds nothing without words', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a'], { texts: ['needle'] }))

      expect(await journal.search('', 9)).toEqual([])
      expect(await journal.search(' \n\t ', 9)).toEqual([])
      expect(await journal.search('needle', 9)).toHaveLength(1)
    })

    it('takes a whole page of text as a search', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a'], { texts: ['word '.repeat(50)] }))

      expect(await journal.search('word '.repeat(5000), 9)).toHaveLength(1)
    })
  })

  describe(`${name}: removing`, () => {
    const entry = { kind: 'chat' }

    it('removes a stream with its entry, texts and what only it links to', async () => {
      const journal = await (await setUp())()
      await journal.append(
        commitOf('chat_1', 0, ['a'], { entry, texts: ['gone'], links: ['turn_1', 'turn_2'] }),
      )
      await journal.append(commitOf('chat_2', 0, ['a'], { entry, texts: ['stays'], links: ['turn_2'] }))
      await journal.append(commitOf('turn_1', 0, ['a'], { texts: ['gone'], links: ['turn_3'] }))
      await journal.append(commitOf('turn_2', 0, ['a'], { texts: ['stays'], links: ['turn_4'] }))
      await journal.append(commitOf('turn_3', 0, ['a']))
      await journal.append(commitOf('turn_4', 0, ['a']))
      await journal.remove('chat_1')

      expect(await journal.entry('chat_1')).toBeUndefined()
      for (const stream of ['chat_1', 'turn_1', 'turn_3'] as const) {
        expect(await journal.read(stream)).toEqual([])
      }
      for (const stream of ['chat_2', 'turn_2', 'turn_4'] as const) {
        expect(await journal.read(stream)).toHaveLength(1)
      }
      expect(await journal.search('gone', 9)).toEqual([])
      expect(await journal.search('stays', 9)).toHaveLength(2)
    })

    it('spares what a spared stream links to, in whatever order they are found', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a'], { links: ['turn_1', 'turn_2'] }))
      await journal.append(commitOf('chat_2', 0, ['a'], { links: ['turn_2'] }))
      await journal.append(commitOf('turn_1', 0, ['a']))
      await journal.append(commitOf('turn_2', 0, ['a'], { links: ['turn_1'] }))
      await journal.remove('chat_1')

      expect(await journal.read('turn_1')).toHaveLength(1)
      expect(await journal.read('turn_2')).toHaveLength(1)
    })

    it('does not find later texts by the words of removed ones', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a'], { texts: ['gone'] }))
      await journal.remove('chat_1')
      await journal.append(commitOf('chat_2', 0, ['a'], { texts: ['new'] }))

      expect(await journal.search('gone', 9)).toEqual([])
      expect(await journal.search('new', 9)).toHaveLength(1)
    })

    it('removes streams that link to each other', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a'], { links: ['turn_1', 'chat_1'] }))
      await journal.append(commitOf('turn_1', 0, ['a'], { links: ['turn_2'] }))
      await journal.append(commitOf('turn_2', 0, ['a'], { links: ['turn_1', 'chat_1'] }))
      await journal.remove('chat_1')

      for (const stream of ['chat_1', 'turn_1', 'turn_2'] as const) {
        expect(await journal.read(stream)).toEqual([])
      }
    })

    it('forgets the links to a removed stream, so that its name can be used again', async () => {
      const journal = await (await setUp())()
      await journal.append(commitOf('chat_1', 0, ['a'], { links: ['turn_1'] }))
      await journal.append(commitOf('turn_1', 0, ['a']))
      await journal.remove('turn_1')
      await journal.append(commitOf('turn_1', 0, ['again']))
      await journal.remove('chat_1')

      expect(await journal.read('turn_1')).toHaveLength(1)
    })

    it('does not remove what another process works on, nor anything with it', async () => {
      const open = await setUp()
      const [journal, other] = [await open(), await open('the web server')]
      await journal.append(commitOf('chat_1', 0, ['a'], { links: ['turn_1'] }))
      await other.append(commitOf('turn_1', 0, ['a']))

      expect(await problemOf(journal.remove('chat_1'))).toBe('locked')
      await expect(journal.remove('turn_1')).rejects.toThrow(/turn_1.*the web server/u)
      expect(await journal.read('chat_1')).toHaveLength(1)
      await other.release('turn_1')
      await journal.remove('chat_1')
      expect(await journal.read('turn_1')).toEqual([])
    })

    it('takes the removal of nothing as done', async () => {
      const journal = await (await setUp())()
      await expect(journal.remove('chat_unknown')).resolves.toBeUndefined()
    })
  })

  describe(`${name}: ownership`, () => {
    it('lets one journal write a stream, all read it', async () => {
      const open = await setUp()
      const [first, second] = [await open('the terminal'), await open()]
      await first.append(commitOf('chat_1', 0, ['a']))

      expect(await second.acquire('chat_1')).toEqual({ acquired: false, owner: 'the terminal' })
      expect(await problemOf(second.append(commitOf('chat_1', 1, ['x'])))).toBe('not_owner')
      expect(await second.read('chat_1')).toHaveLength(1)
      expect(await first.acquire('chat_1')).toEqual({ acquired: true })
      await first.append(commitOf('chat_1', 1, ['b']))
    })

    it('hands a stream on when it is released', async () => {
      const open = await setUp()
      const [first, second] = [await open(), await open()]
      await first.append(commitOf('chat_1', 0, ['a']))
      await first.release('chat_1')

      expect(await problemOf(first.append(commitOf('chat_1', 1, ['x'])))).toBe('not_owner')
      expect(await second.acquire('chat_1')).toEqual({ acquired: true })
      await second.append(commitOf('chat_1', 1, ['b']))
      expect(await problemOf(first.append(commitOf('chat_1', 1, ['x'])))).toBe('not_owner')
      await first.release('chat_1')
      await second.append(commitOf('chat_1', 2, ['c']))
      expect(await first.read('chat_1')).toHaveLength(3)
    })

    it('refuses to write an old stream nobody acquired', async () => {
      const open = await setUp()
      const first = await open()
      await first.append(commitOf('chat_1', 0, ['a']))
      await first.close()

      const second = await open()
      expect(await problemOf(second.append(commitOf('chat_1', 1, ['x'])))).toBe('not_owner')
      expect(await second.acquire('chat_1')).toEqual({ acquired: true })
      await second.append(commitOf('chat_1', 1, ['b']))
    })

    it('lets a stream be acquired before it exists', async () => {
      const open = await setUp()
      const [first, second] = [await open(), await open()]
      expect(await first.acquire('chat_1')).toEqual({ acquired: true })

      expect(await problemOf(second.append(commitOf('chat_1', 0, ['x'])))).toBe('not_owner')
      await first.append(commitOf('chat_1', 0, ['a']))
      expect(await second.read('chat_1')).toHaveLength(1)
    })

    it('does not let a refused commit take ownership', async () => {
      const open = await setUp()
      const [first, second] = [await open(), await open()]
      await problemOf(first.append(commitOf('chat_1', 3, ['x'])))

      expect(await second.acquire('chat_1')).toEqual({ acquired: true })
    })
  })

  describe(`${name}: closing`, () => {
    it('releases what it held, is repeatable, and refuses work afterwards', async () => {
      const open = await setUp()
      const [first, second] = [await open(), await open()]
      await first.append(commitOf('chat_1', 0, ['a']))
      await first.append(commitOf('chat_2', 0, ['a']))
      await first.close()
      await first.close()

      expect(await second.acquire('chat_1')).toEqual({ acquired: true })
      expect(await second.acquire('chat_2')).toEqual({ acquired: true })
      expect(await problemOf(first.read('chat_1'))).toBe('unavailable')
      expect(await problemOf(first.append(commitOf('chat_3', 0, ['a'])))).toBe('unavailable')
    })
  })
}
