import { expect, it } from 'vitest'
import type { ToolTraits } from '../../schema/turn-event.ts'
import { visibleTools } from './visible-tools.ts'

const tools: ToolTraits[] = [
  { name: 'look', read_only: true },
  { name: 'change', read_only: false, changes: 'files' },
  { name: 'run', read_only: false, changes: 'anything', confinable: true },
  { name: 'plan_step', read_only: true },
]
const plan = {
  plan_id: 'plan_1',
  revision: 1,
  plan: { goal: 'g', steps: [], risks: [], prerequisites: [] },
  reviews: [],
  directory: '.',
}
const names = (shown: ToolTraits[]) => shown.map((tool) => tool.name)

it('shows in Plan mode only what reads, or what the kernel keeps from changing anything', () => {
  expect(names(visibleTools({ tools, mode: 'Plan' }))).toEqual(['look', 'run'])
  const unconfined = tools.map((tool) => ({ ...tool, confinable: false }))
  expect(names(visibleTools({ tools: unconfined, mode: 'Plan' }))).toEqual(['look'])
})

it('shows all tools in Act mode, in their order, and plan_step only where there is a plan', () => {
  expect(names(visibleTools({ tools, mode: 'Act' }))).toEqual(['look', 'change', 'run'])
  expect(names(visibleTools({ tools, mode: 'Act', plan }))).toEqual(['look', 'change', 'run', 'plan_step'])
})
