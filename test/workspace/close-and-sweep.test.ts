import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { RunId } from '../../src/schema/ids.ts'
import { writeFiles } from '../support/workbench.ts'
import { RUN, contents, scene } from './support.ts'

const CHILD = fileURLToPath(new URL('crash-child.ts', import.meta.url))
const nothing: ReadonlySet<RunId> = new Set()

test('closing leaves nothing, or only what is kept on purpose', async () => {
  const { data, folder, open, snapshot, workspaces } = scene({ 'a.txt': 'a\n' })
  const workspace = await open()
  const locked = join(workspace.path, 'locked')
  writeFiles(workspace.path, { 'a.txt': 'b\n', 'locked/x': 'x\n' })
  writeFileSync(Buffer.from(`${workspace.path}/bad\xff`, 'latin1'), 'x')
  const [first] = [await snapshot(workspace, 'agent1.1'), await snapshot(workspace, 'agent1.2')]
  mkdirSync(join(locked, 'deeper'))
  chmodSync(join(locked, 'deeper'), 0)
  chmodSync(locked, 0)
  const before = contents(first.path)
  await workspaces.close(RUN, ['agent1.1', 'never taken'])
  expect(readdirSync(join(data, 'workspaces', RUN)).sort()).toEqual(['kept.json', 'snapshots'])
  expect(readdirSync(join(data, 'workspaces', RUN, 'snapshots'))).toEqual(['agent1.1'])
  expect(contents(first.path)).toEqual(before)
  await workspaces.close(RUN, 'nothing')
  expect(readdirSync(join(data, 'workspaces'))).toEqual([])
  expect(contents(folder)).toEqual({ 'a.txt': 'a\n' })
  await workspaces.close(RUN, 'nothing')
})

test('what a process did not come to remove is swept', async () => {
  const { data, workspaces, open } = scene({ 'a.txt': 'a\n' })
  const root = join(data, 'workspaces')
  await open()
  renameSync(join(root, RUN), join(root, `${RUN}-gone-x1`))
  rmSync(join(root, `${RUN}-gone-x1`, 'owner.json'))
  expect(await workspaces.sweep(nothing)).toBe(1)
  expect(readdirSync(root)).toEqual([])
})

test('sweeps what dead processes left, not what lives, may be resumed or was kept', async () => {
  const { data, folder, workspaces, snapshot, open } = scene({ 'a.txt': 'a\n' })
  const root = join(data, 'workspaces')
  expect(spawnSync(process.execPath, [CHILD, 'open', folder, data]).status).toBe(0)
  expect(await workspaces.sweep(new Set<RunId>([RUN]))).toBe(0)
  expect(existsSync(join(root, RUN, 'agents/a'))).toBe(true)

  const own = await open()
  expect(await workspaces.sweep(nothing)).toBe(0)
  await snapshot(own, 'agent1.1')
  await workspaces.close(RUN, ['agent1.1'])
  expect(await workspaces.sweep(nothing)).toBe(0)
  const old = new Date(Date.now() - 31 * 86_400_000)
  utimesSync(join(root, RUN, 'kept.json'), old, old)
  expect(await workspaces.sweep(nothing)).toBe(1)
  expect(readdirSync(root)).toEqual([])

  expect(spawnSync(process.execPath, [CHILD, 'open', folder, data]).status).toBe(0)
  expect(await workspaces.sweep(nothing)).toBe(1)
  expect(readdirSync(root)).toEqual([])
})
