// What the SQLite journal costs: a durable commit, opening, and reading a long chat. Run: sh scripts/node.sh bench/journal.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteJournal } from '../src/adapters/journal/sqlite-journal.ts'
import type { IndexChange, Journal } from '../src/ports/journal.ts'
import type { DurableEvent } from '../src/schema/envelope.ts'
import type { StreamId } from '../src/schema/ids.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-journal-'))
const path = join(folder, 'journal.db')
const event: DurableEvent = {
  type: 'guidance.given',
  text: 'a typical event has a few hundred bytes '.repeat(8),
}

try {
  const [created, first] = await timed(() => openSqliteJournal({ path }))
  report('create a journal', created)
  for (const size of [1, 6]) {
    report(`commit of ${size} (median)`, await commitCost(first, `turn_${size}`, size))
  }
  report('commit of 1 with a text', await commitCost(first, 'chat_texts', 1, { texts: ['one two three'] }))
  await fill(first, 'chat_long', 100_000)
  report('close after that', (await timed(() => first.close()))[0])

  const opens: number[] = []
  const appends: number[] = []
  for (let round = 0; round < 25; round++) {
    const [opened, journal] = await timed(() => openSqliteJournal({ path }))
    opens.push(opened)
    appends.push((await timed(() => append(journal, `chat_open_${round}`, 0, 1)))[0])
    await journal.close()
  }
  report('open (median)', median(opens))
  report('first append to a new stream', median(appends))

  const last = await openSqliteJournal({ path })
  for (let round = 1; round <= 3; round++) {
    report(`read 100,000 events (round ${round})`, (await timed(() => last.read('chat_long')))[0])
  }
  report('search', (await timed(() => last.search('two th', 20)))[0])
  await last.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function append(
  journal: Journal,
  stream: StreamId,
  after: number,
  size: number,
  index?: IndexChange,
): Promise<void> {
  const events = Array.from({ length: size }, () => event)
  return journal.append({ stream, after, at: new Date().toISOString(), events, ...(index ? { index } : {}) })
}

async function commitCost(
  journal: Journal,
  stream: StreamId,
  size: number,
  index?: IndexChange,
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 1000; round++) {
    times.push((await timed(() => append(journal, stream, round * size, size, index)))[0])
  }
  return median(times)
}

async function fill(journal: Journal, stream: StreamId, count: number): Promise<void> {
  for (let after = 0; after < count; after += 1000) await append(journal, stream, after, 1000)
}

async function timed<T>(work: () => Promise<T>): Promise<[milliseconds: number, result: T]> {
  const start = performance.now()
  const result = await work()
  return [performance.now() - start, result]
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}

function report(what: string, milliseconds: number): void {
  const cost = milliseconds < 10 ? `${(milliseconds * 1000).toFixed(0)} µs` : `${milliseconds.toFixed(0)} ms`
  process.stdout.write(`${what.padEnd(34)} ${cost.padStart(9)}\n`)
}
