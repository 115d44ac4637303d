import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RunId } from '../../schema/ids.ts'
import type { RunEvent } from '../../schema/run-event.ts'
import { openMemoryJournal } from '../journal/memory-journal.ts'
import { openBlobStore } from '../undo/blob-store.ts'
import { openTeam } from './open-team.ts'

function makeData(): string {
  const data = mkdtempSync(join(tmpdir(), 'conclave-team-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  return data
}

const finished: RunEvent = { type: 'run.finished', status: 'complete', final_answer: '' }

test('what killed processes left of runs that are over is removed when a team is first needed', async () => {
  const data = makeData()
  const journal = openMemoryJournal()
  const store = (stream: RunId, events: RunEvent[]) =>
    journal.append({ stream, after: 0, at: '2026-01-01T00:00:00.000Z', events })
  await store('run_over', [finished, { type: 'log.stored', directory: 'logs' }])
  await store('run_open', [finished])
  for (const run of ['run_over', 'run_open', 'run_unknown', 'run_living', 'other']) {
    mkdirSync(join(data, 'workspaces', run, 'agents/a/work'), { recursive: true })
    writeFileSync(join(data, 'workspaces', run, 'agents/a/work/file'), 'x')
  }
  // Another process has just begun with it, and its log is not written yet.
  const living = await openTeam({ data, blobs: openBlobStore(join(data, 'blobs')) })
  mkdirSync(join(data, 'folder'))
  await living.workspaces.open({ run_id: 'run_living', agent_id: 'b', folder: join(data, 'folder') })

  await openTeam({ data, blobs: openBlobStore(join(data, 'blobs')), journal })
  expect(readdirSync(join(data, 'workspaces')).sort()).toEqual(['other', 'run_living', 'run_open'])
  expect(existsSync(join(data, 'workspaces/run_open/agents/a/work/file'))).toBe(true)
})

test('a journal that cannot be read has nothing removed', async () => {
  const data = makeData()
  mkdirSync(join(data, 'workspaces/run_a'), { recursive: true })
  const journal = { ...openMemoryJournal(), read: () => Promise.reject(new Error('damaged')) }
  await openTeam({ data, blobs: openBlobStore(join(data, 'blobs')), journal })
  expect(readdirSync(join(data, 'workspaces'))).toEqual(['run_a'])
})
