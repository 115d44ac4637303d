import { expect, it } from 'vitest'
import { visibleTools } from '../core/policy/visible-tools.ts'
import { builtinTools, teamTools, toModelTool } from './registry.ts'

const names = (tools: { name: string }[]): string[] => tools.map((tool) => tool.name)

it('shows everything in Act mode, and in Plan mode only what reads or can be confined', () => {
  const tools = builtinTools()
  const all = names(visibleTools({ tools, mode: 'Act' }))
  const hidden = names(tools).filter((name) => !all.includes(name))
  expect(hidden).toEqual(['plan_step'])
  const plan = names(visibleTools({ tools, mode: 'Plan' }))
  expect(plan).toEqual(
    expect.arrayContaining(['read_file', 'search_code', 'list_directory', 'explore', 'shell']),
  )
  for (const name of ['create_file', 'update_file', 'delete_file', 'delegate'])
    expect(plan).not.toContain(name)
})

it('says of every tool that writes what it changes, unless that is up to its sub-agents', () => {
  for (const tool of builtinTools()) {
    expect(tool.changes !== undefined, tool.name).toBe(!tool.read_only && !tool.nested)
  }
  expect(names(builtinTools().filter((tool) => tool.destructive))).toEqual(['delete_file'])
  expect(names(builtinTools().filter((tool) => tool.changes === 'anything'))).toEqual(['shell'])
})

it('shows the model a name, a description and a schema, and little text in all', () => {
  const shown = builtinTools().map(toModelTool)
  for (const tool of shown) {
    expect(Object.keys(tool)).toEqual(['name', 'description', 'parameters'])
    expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false })
  }
  // All but those of a team are in every request; about four characters are a token.
  const team = names([...teamTools])
  const always = shown.filter(({ name }) => !team.includes(name))
  expect(JSON.stringify(always).length).toBeLessThan(6_000)
})
