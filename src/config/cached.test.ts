import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../../test/support/workbench.ts'
import { loadCached } from './cached.ts'

const source = (id: string): string => `agents:\n  - id: ${id}\n    backend: { type: rehearsal }\n`

function setUp() {
  const folder = temporaryFolder()
  const file = join(folder, 'c.yaml')
  const cache = join(folder, 'cache')
  const load = (version = '1') => loadCached(file, { folder: cache, version })
  const kept = () => readdirSync(join(cache, 'config')).map((name) => join(cache, 'config', name))
  return { folder, file, load, kept }
}

test('gives the same config from the cache as from the file', async () => {
  const { file, load, kept } = setUp()
  writeFileSync(file, source('a'))
  const first = await load()
  expect(first).toMatchObject({ ok: true, config: { agents: [{ id: 'a' }] } })
  expect(kept()).toHaveLength(1)
  expect(await load()).toEqual(first)
})

test('reads the file again when its text or our version has changed', async () => {
  const { file, load, kept } = setUp()
  writeFileSync(file, source('a'))
  await load()
  const [path = ''] = kept()
  const stale = readFileSync(path, 'utf8').replace('"id":"a"', '"id":"stale"')
  writeFileSync(path, stale)
  expect(await load()).toMatchObject({ config: { agents: [{ id: 'stale' }] } })
  expect(await load('2')).toMatchObject({ config: { agents: [{ id: 'a' }] } })
  writeFileSync(file, source('b'))
  expect(await load('2')).toMatchObject({ config: { agents: [{ id: 'b' }] } })
})

test('keeps nothing that is wrong, and does without a cache that is damaged or missing', async () => {
  const { folder, file, load, kept } = setUp()
  writeFileSync(file, 'agents: 1')
  expect(await load()).toMatchObject({ ok: false })
  writeFileSync(file, source('a'))
  await load()
  for (const path of kept()) writeFileSync(path, '{"half":')
  expect(await load()).toMatchObject({ ok: true })
  writeFiles(folder, { 'no-folder': '' })
  for (const place of [undefined, join(folder, 'no-folder')]) {
    expect(await loadCached(file, { folder: place, version: '1' })).toMatchObject({ ok: true })
  }
  expect(await loadCached(join(folder, 'gone.yaml'), { folder, version: '1' })).toMatchObject({ ok: false })
})
