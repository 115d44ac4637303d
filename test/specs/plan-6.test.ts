import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { toArray } from '../../src/core/list.ts'
import { recordingModel } from '../../src/engine/engine.test-support.ts'
import { builtinTools, teamTools } from '../../src/tools/registry.ts'
import { defineTool } from '../../src/tools/tool.ts'
import { create } from '../support/plans.ts'
import { Workbench } from '../support/workbench.ts'

const noInput = { type: 'object', properties: {}, required: [], additionalProperties: false } as const
const unmarked = defineTool({
  name: 'unmarked',
  description: 'Says nothing about itself.',
  input: noInput,
  run: async () => ({ success: true, output: 'ran' }),
})
const marked = defineTool({ ...unmarked, name: 'marked', input: noInput, read_only: true })

/** plan_step is for turns that carry out a plan, others are for the agents of a team. */
const isForAll = (name: string): boolean =>
  name !== 'plan_step' && !teamTools.some((tool) => tool.name === name)

test('PLAN-6.1 in Plan mode only tools marked read_only are listed, and no other can be called', async () => {
  const { model, requests } = recordingModel(
    scriptedModel([{ calls: [create('a.txt'), { name: 'unmarked', input: {} }] }, { text: 'I could not.' }]),
  )
  const bench = new Workbench({ model, tools: [unmarked, marked] })
  const turn = await bench.run('write a.txt', { mode: 'Plan' })

  const listed = requests[0]?.tools.map(({ name }) => name) ?? []
  const readers = [...builtinTools(), unmarked, marked].filter(({ read_only }) => read_only)
  expect(listed).toEqual(readers.map(({ name }) => name).filter(isForAll))
  expect(listed).toEqual(expect.arrayContaining(['read_file', 'search_code', 'list_directory', 'marked']))
  for (const name of ['update_file', 'create_file', 'delete_file', 'shell', 'delegate', 'unmarked'])
    expect(listed).not.toContain(name)
  expect(toArray(turn.observations)).toMatchObject([
    { tool: 'create_file', success: false, error: expect.stringContaining('Plan mode') },
    { tool: 'unmarked', success: false, error: expect.stringContaining('Plan mode') },
  ])
  expect(existsSync(join(bench.folder, 'a.txt'))).toBe(false)
})

test('PLAN-6.2 in Act mode all tools are listed, and what a tool needs approval for still asks', async () => {
  const { model, requests } = recordingModel(
    scriptedModel([{ calls: [create('a.txt'), { name: 'unmarked', input: {} }] }, { text: 'Done.' }]),
  )
  const bench = new Workbench({ model, tools: [unmarked, marked] })
  const turn_id = await bench.start('write a.txt', { permission: 'ask' })
  const { pending } = await bench.event('pending.opened')
  expect(pending).toMatchObject({ kind: 'tool_approval', call: { name: 'unmarked' } })
  expect(existsSync(join(bench.folder, 'a.txt'))).toBe(true)
  const answer = { kind: 'tool_approval', decision: 'once' } as const
  await bench.must({ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'test' })
  await bench.engine.whenIdle(bench.chat)

  const all = [...builtinTools(), unmarked, marked].map(({ name }) => name)
  expect(requests[0]?.tools.map(({ name }) => name)).toEqual(all.filter(isForAll))
  expect(toArray((await bench.engine.turn(turn_id)).observations)).toMatchObject([
    { tool: 'create_file', success: true },
    { tool: 'unmarked', success: true, output: 'ran' },
  ])
})

test('PLAN-6.3 every tool says whether it is read_only; one that does not say is a write tool', () => {
  expect(unmarked.read_only).toBe(false)
  expect(marked.read_only).toBe(true)
  for (const tool of builtinTools()) expect(typeof tool.read_only, tool.name).toBe('boolean')
  const names = (read_only: boolean) =>
    builtinTools().flatMap((tool) => (tool.read_only === read_only ? [tool.name] : []))
  expect(names(true)).toEqual(
    expect.arrayContaining(['read_file', 'search_code', 'list_directory', 'explore']),
  )
  expect(names(false)).toEqual(
    expect.arrayContaining(['create_file', 'update_file', 'delete_file', 'shell', 'delegate']),
  )
})
