import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acceptTool } from '../../src/adapters/mcp/tool-pins.ts'
import { temporaryFolder } from '../support/workbench.ts'
import { connect, hostileServer } from './support.ts'

const tool = (name: string, description: string, more: object = {}) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: {}, ...more },
})

test('#34 a definition changed by one byte is not offered until a person accepts exactly that one', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'tools.json')
  const define = (...tools: object[]) => writeFileSync(file, JSON.stringify(tools))
  const session = () => connect({ s: hostileServer('defined', file) }, { folder })
  const names = async () => (await session()).tools.map(({ name }) => name)

  define(tool('add', 'Adds.'), tool('sub', 'Subtracts.'))
  expect(await names()).toEqual(['mcp__s__add', 'mcp__s__sub'])
  expect(await names()).toEqual(['mcp__s__add', 'mcp__s__sub'])

  define(tool('add', 'Adds!'), tool('sub', 'Subtracts.'))
  const changed = await session()
  expect(changed.tools.map(({ name }) => name)).toEqual(['mcp__s__sub'])
  expect(changed.changed).toMatchObject([{ server: 's', tool: 'add', change: 'changed' }])
  expect(await names()).toEqual(['mcp__s__sub'])

  define(tool('add', 'Adds?'), tool('sub', 'Subtracts.'))
  for (const seen of changed.changed) await acceptTool(seen)
  expect(await names()).toEqual(['mcp__s__sub'])
  define(tool('add', 'Adds!'), tool('sub', 'Subtracts.'))
  expect(await names()).toEqual(['mcp__s__add', 'mcp__s__sub'])
})

test('#34 a changed schema and a tool added later are changes too', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'tools.json')
  const session = () => connect({ s: hostileServer('defined', file) }, { folder })
  writeFileSync(file, JSON.stringify([tool('add', 'Adds.')]))
  await session()
  const extra = tool('extra', 'New.')
  writeFileSync(file, JSON.stringify([tool('add', 'Adds.', { required: ['x'] }), extra]))
  const { tools, changed } = await session()
  expect(tools).toEqual([])
  expect(changed.map(({ tool, change }) => [tool, change])).toEqual([
    ['add', 'changed'],
    ['extra', 'new'],
  ])
})

test('a record of accepted tools that is damaged or cannot be written accepts nothing', async () => {
  const folder = temporaryFolder()
  const session = (pins = join(folder, 'pins')) => connect({ s: hostileServer('good') }, { folder, pins })
  expect((await session()).tools).not.toEqual([])
  const [record = ''] = readdirSync(join(folder, 'pins'))
  const path = join(folder, 'pins', record)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ v: 1, tools: { touch: expect.any(String) } })
  writeFileSync(path, '{"v": 1, "too')
  const damaged = await session()
  expect(damaged.tools).toEqual([])
  expect(damaged.problems.join('\n')).toContain('damaged; delete ')
  writeFileSync(join(folder, 'file'), '')
  const unwritable = await session(join(folder, 'file'))
  expect(unwritable.tools).toEqual([])
  expect(unwritable.problems).toHaveLength(1)
})

test('the same name with another command is another server', async () => {
  const folder = temporaryFolder()
  await connect({ s: hostileServer('good') }, { folder })
  const other = await connect({ s: hostileServer('odd_names') }, { folder })
  expect(other.changed).toEqual([])
  expect(other.tools).toHaveLength(4)
})

test('two processes that meet a server for the first time keep one record', async () => {
  const folder = temporaryFolder()
  const both = await Promise.all([1, 2].map(() => connect({ s: hostileServer('good') }, { folder })))
  expect(both.map(({ tools }) => tools.length)).toEqual([4, 4])
  expect(readdirSync(join(folder, 'pins'))).toHaveLength(1)
})
