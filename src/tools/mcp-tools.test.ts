import { expect, it } from 'vitest'
import type { McpServer } from '../ports/mcp.ts'
import { checkInput } from './input-schema.ts'
import { mcpTools } from './mcp-tools.ts'
import { toModelTool } from './registry.ts'

const schema = {
  type: 'object',
  properties: { n: { type: 'number', exclusiveMinimum: 0 } },
  $defs: { x: {} },
}
const server = (name: string, ...tools: string[]): McpServer => ({
  name,
  tools: tools.map((name) => ({ name, description: 'd', schema, read_only: false })),
  call: async (tool) => ({ success: true, output: tool }),
})

it('gives names that are unique whatever servers and tools are called', () => {
  const tools = mcpTools([
    server('a__b', 'c'),
    server('a', 'b__c', 'c'),
    server('ä', 'ö'),
    server('x'.repeat(80), 't'),
  ])
  const names = tools.map(({ name }) => name)
  expect(names[0]).toBe('mcp__a__b__c')
  expect(names[2]).toBe('mcp__a__c')
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
})

it('carries a foreign schema through, and checks only that the input is an object', () => {
  const [tool] = mcpTools([server('s', 't')])
  if (!tool) throw new Error('no tool')
  expect(toModelTool(tool).parameters).toBe(schema)
  expect(checkInput(tool.input, { n: -1, anything: [] })).toEqual([])
  for (const input of [null, [], 'x', 1])
    expect(checkInput(tool.input, input)).toEqual(['input must be an object'])
})
