import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/workbench.ts'
import { openBlobStore } from './blob-store.ts'

const DAY = 86_400

it('keeps bytes under what they are, once, for the owner only', async () => {
  const folder = join(temporaryFolder(), 'undo')
  const blobs = openBlobStore(folder)
  const bytes = Buffer.from([0, 255, 13, 10])
  const name = await blobs.keep(bytes)
  expect(await blobs.keep(bytes)).toBe(name)
  expect(await blobs.hash(bytes)).toBe(name)
  expect(await blobs.read(name ?? '')).toEqual(bytes)
  expect(readdirSync(folder).filter((entry) => entry !== '.swept')).toEqual([name])
  expect(statSync(join(folder, name ?? '')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

it('does not keep what is too large, nor return what is damaged or was never a name', async () => {
  const folder = join(temporaryFolder(), 'undo')
  const blobs = openBlobStore(folder)
  expect(await blobs.keep(Buffer.alloc(10_000_001))).toBeUndefined()
  const name = (await blobs.keep(Buffer.from('x'))) ?? ''
  writeFileSync(join(folder, name), 'y')
  expect(await blobs.read(name)).toBeUndefined()
  expect(await blobs.read('../../etc/passwd')).toBeUndefined()
})

it('says nothing worse than "not kept" when the folder cannot be made', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(await openBlobStore(join(file, 'undo')).keep(Buffer.from('x'))).toBeUndefined()
})

it('sweeps what nobody used for a month, and what is used again stays', async () => {
  const folder = join(temporaryFolder(), 'undo')
  mkdirSync(folder)
  const old = Date.now() / 1_000 - 31 * DAY
  const put = (name: string, at: number) => {
    writeFileSync(join(folder, name), 'x')
    utimesSync(join(folder, name), at, at)
  }
  put('old', old)
  put('young', Date.now() / 1_000 - 29 * DAY)
  const name = (await openBlobStore(folder).keep(Buffer.from('used'))) ?? ''
  expect(readdirSync(folder).toSorted()).toEqual(['.swept', name, 'young'].toSorted())
  utimesSync(join(folder, name), old, old)
  await openBlobStore(folder).keep(Buffer.from('used'))
  utimesSync(join(folder, '.swept'), old, old)
  await openBlobStore(folder).keep(Buffer.from('other'))
  expect(readdirSync(folder)).toContain(name)
})
