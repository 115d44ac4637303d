import { expect, it } from 'vitest'
import { visibleTools } from './visible-tools.ts'

const tools = [
  { name: 'look', read_only: true },
  { name: 'change', read_only: false, changes: 'files' as const },
  { name: 'run', read_only: false, changes: 'anything' as const },
]

it('shows only read-only tools in Plan mode', () => {
  expect(visibleTools(tools, 'Plan').map((tool) => tool.name)).toEqual(['look'])
})

it('shows all tools in Act mode, in their order', () => {
  expect(visibleTools(tools, 'Act').map((tool) => tool.name)).toEqual(['look', 'change', 'run'])
})
