import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import type { StoredEnvelope } from '../../src/schema/envelope.ts'
import type { StreamId } from '../../src/schema/ids.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder } from '../support/workbench.ts'
import { PROMPT, Workspace } from './workspace.ts'

const launcher = join(import.meta.dirname, '../../bin/conclave')

/** A system call of the program that matters here. */
type Step =
  | { kind: 'write'; file: string }
  | { kind: 'sync'; file: string }
  | { kind: 'say'; stream: string; seq: number }

// A kill cannot show a missing sync, because the system still writes what a dead process left; a power cut would.
testWith('strace', 'every event is synced to the disk before it is acknowledged', checkSyncs)

async function checkSyncs(): Promise<void> {
  const workspace = new Workspace()
  onTestFinished(() => workspace.remove())
  const steps = trace(['--print', PROMPT, ...workspace.runFlags], workspace)

  const unsynced = new Set<string>()
  let acknowledged = 0
  for (const step of steps) {
    if (step.kind === 'write') unsynced.add(step.file)
    else if (step.kind === 'sync') unsynced.delete(step.file)
    else {
      acknowledged += 1
      expect([...unsynced], `when ${step.stream} ${step.seq} was printed`).toEqual([])
    }
  }
  expect(acknowledged).toBeGreaterThan(100)

  const streams = new Set(steps.flatMap((step) => (step.kind === 'say' ? [step.stream as StreamId] : [])))
  const journal = await openSqliteJournal({ path: workspace.journal })
  const stored = (await Promise.all([...streams].map((stream) => journal.read(stream)))).flat()
  await journal.close()
  const syncs = steps.filter((step) => step.kind === 'sync').length
  expect(countCommits(stored)).toBeGreaterThan(20)
  expect(syncs).toBeGreaterThanOrEqual(countCommits(stored))
}

/** The events of one decision share a time; decisions within one millisecond count as one here. */
const countCommits = (stored: StoredEnvelope[]): number =>
  new Set(stored.map(({ stream, at }) => `${stream} ${at}`)).size

function trace(args: string[], { journal }: Workspace): Step[] {
  const prefix = join(temporaryFolder(), 'trace')
  const calls = 'trace=write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync'
  const { status, stderr } = spawnSync(
    'strace',
    ['-ff', '-y', '-s', '4200', '-e', calls, '-o', prefix, launcher, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    },
  )
  expect(status, stderr).toBe(0)
  // One file per thread: the journal is written, synced and reported by one and the same.
  const threads = readdirSync(join(prefix, '..')).map((name) =>
    readFileSync(join(prefix, '..', name), 'utf8'),
  )
  const writers = threads.filter((text) => text.includes(`${journal}-wal`))
  expect(writers).toHaveLength(1)
  return (writers[0] ?? '').split('\n').flatMap((line) => readStep(line, journal))
}

function readStep(line: string, journal: string): Step[] {
  const [, name = '', descriptor = '', file = ''] = line.match(/^(\w+)\((\d+)<([^>]*)>/) ?? []
  // The file ending in -shm is shared memory, rebuilt from the log.
  if (file.startsWith(journal) && !file.endsWith('-shm')) {
    if (name.endsWith('sync')) return [{ kind: 'sync', file }]
    // Who owns a stream is written as well, and needs no sync: a machine that lost it has lost its owner, too.
    return line.includes('\\"type\\":\\"') ? [{ kind: 'write', file }] : []
  }
  const [, stream = '', seq] = line.match(/\\"stream\\":\\"(\w+)\\",\\"seq\\":(\d+)/) ?? []
  return descriptor === '1' && seq ? [{ kind: 'say', stream, seq: Number(seq) }] : []
}
