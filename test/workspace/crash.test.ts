import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeFiles } from '../support/workbench.ts'
import { RUN, type Scene, contents, scene } from './support.ts'

const CHILD = fileURLToPath(new URL('crash-child.ts', import.meta.url))
const FILES = 120
const many = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: FILES }, (_, index) => [`d${index % 20}/f${index}.txt`, `${text} ${index}\n`]),
  )

/** Kills a process that does this as soon as the condition holds. False when it was finished before. */
async function killWhen(what: string, { folder, data }: Scene, holds: () => boolean): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, [CHILD, what, folder, data], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  let over = false
  void ended.then(() => (over = true))
  while (!over && !holds()) await new Promise((resolve) => setTimeout(resolve, 1))
  child.kill('SIGKILL')
  const [, signal] = await ended
  return signal === 'SIGKILL'
}

const below = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

test('killed while a workspace is made, the next process makes it whole', async () => {
  const stage = scene(many('text'))
  const run = join(stage.data, 'workspaces', RUN)
  const moments = [
    () => below(run).some((name) => name.startsWith('base.new-')),
    () => below(run).includes('base'),
    () => below(join(run, 'agents')).some((name) => name.startsWith('a.new-')),
  ]
  let killed = 0
  for (const moment of moments) if (await killWhen('open', stage, moment)) killed += 1
  expect(killed).toBeGreaterThan(0)
  const workspace = await stage.open()
  expect(contents(workspace.path)).toEqual(contents(stage.folder))
  expect((await stage.snapshot(workspace)).changes.files).toEqual([])
  await stage.workspaces.close(RUN, 'nothing')
  expect(below(join(stage.data, 'workspaces'))).toEqual([])
})

test('killed while a snapshot is taken, there is a whole one afterwards', async () => {
  const stage = scene(many('text'))
  const workspace = await stage.open()
  writeFiles(workspace.path, many('changed'))
  const snapshots = join(stage.data, 'workspaces', RUN, 'snapshots')
  const killed = await killWhen('snapshot', stage, () =>
    below(snapshots).some((name) => name.startsWith('a.1.new-')),
  )
  expect(killed).toBe(true)
  expect(below(snapshots)).not.toContain('a.1')
  const frozen = await stage.snapshot(workspace, 'a.1')
  expect(frozen.changes.files).toHaveLength(FILES)
  expect(contents(frozen.path)).toEqual(contents(workspace.path))
})

test('killed while it writes to the user, the next process ends where one would have ended', async () => {
  const stage = scene(many('text'))
  const workspace = await stage.open()
  writeFiles(workspace.path, many('changed'))
  rmSync(join(workspace.path, 'd1/f1.txt'))
  const frozen = await stage.snapshot(workspace, 'a.1')
  const changed = (count: number) => (): boolean =>
    Array.from({ length: FILES }, (_, index) => join(stage.folder, `d${index % 20}/f${index}.txt`)).filter(
      (file) => existsSync(file) && readFileSync(file, 'utf8').startsWith('changed'),
    ).length >= count
  let killed = 0
  for (const count of [1, 20, 50]) if (await killWhen('apply', stage, changed(count))) killed += 1
  expect(killed).toBe(3)
  expect(changed(FILES - 1)()).toBe(false)
  // The user goes on working on a file that was not reached yet.
  const isUntouched = (path: string): boolean =>
    existsSync(join(stage.folder, path)) && readFileSync(join(stage.folder, path), 'utf8').startsWith('text')
  const mine = Object.keys(many('')).find(isUntouched) ?? ''
  writeFileSync(join(stage.folder, mine), 'of the user\n')

  const applied = await stage.apply(frozen)
  expect(applied.conflicts.map(({ path, reason }) => [path, reason])).toEqual([[mine, 'changed']])
  expect(applied.written).toHaveLength(FILES - 1)
  expect(contents(stage.folder)).toEqual({ ...contents(frozen.path), [mine]: 'of the user\n' })
  expect(await stage.apply(frozen)).toEqual(applied)
})
