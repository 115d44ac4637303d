import { expect, test } from 'vitest'
import type { ApprovedPlan, PlanStep, StepReview } from '../../schema/plan.ts'
import type { ToolCall, ToolTraits } from '../../schema/turn-event.ts'
import { findDrift } from './plan-scope.ts'

const known: ToolTraits[] = [
  { name: 'read_file', read_only: true },
  { name: 'update_file', read_only: false, changes: 'files' },
  { name: 'delete_file', read_only: false, changes: 'files', destructive: true },
  { name: 'shell', read_only: false, changes: 'anything' },
]

function approved(steps: Partial<PlanStep>[], reviews: StepReview[] = []): ApprovedPlan {
  const whole = steps.map((step, index) => ({
    ...{ step_number: index + 1, action: 'a', reason: '', tools_needed: [] },
    ...step,
  }))
  const plan = { goal: 'g', steps: whole, risks: [], prerequisites: [] }
  return { plan_id: 'plan_1', revision: 1, plan, reviews, directory: '.' }
}

const call = (name: string, path?: string): ToolCall => ({
  id: '1',
  name,
  input: {},
  ...(path !== undefined && { access: [{ kind: 'write', path }] }),
})
const drift = (plan: ApprovedPlan, made: ToolCall) => findDrift(plan, made, known)

test('a plan that names no write tools and no files bounds nothing', () => {
  expect(drift(approved([{}]), call('shell'))).toBeUndefined()
  expect(drift(approved([{ tools_needed: ['read_file', 'made_up'] }]), call('shell'))).toBeUndefined()
})

test('a plan that names write tools is left with any other', () => {
  const plan = approved([{ tools_needed: ['update_file'] }])
  expect(drift(plan, call('update_file', 'any'))).toBeUndefined()
  expect(drift(plan, call('shell'))).toBe('outside the approved plan: no step needs shell')
})

const scoped = approved([{ files: ['src/a.ts', './lib/', 'docs/**'] }])
test.each([
  ...['src/a.ts', './src/a.ts', 'src//a.ts', 'src/x/../a.ts', 'lib', 'lib/deep/b.ts', 'docs/x/y.md'],
])('the plan covers %s', (path) => {
  expect(drift(scoped, call('update_file', path))).toBeUndefined()
})

test.each([
  ...['src/b.ts', 'src/a.ts.bak', 'src', 'library/x', 'lib/../src/b.ts', 'src/a.ts/../../secret', '../lib/x'],
  ...['lib/../../lib/x', '/lib/x', '/etc/passwd', 'LIB/x'],
])('the plan does not cover %s', (path) => {
  expect(drift(scoped, call('update_file', path))).toBe(`outside the approved plan: no step changes ${path}`)
})

test('the folder itself covers what is in it, and nothing else does', () => {
  for (const scope of ['.', './', '**', '*']) {
    const plan = approved([{ files: [scope] }])
    expect(drift(plan, call('update_file', 'any/where.ts'))).toBeUndefined()
    expect(drift(plan, call('update_file', '/etc/passwd'))).toContain('no step changes')
    expect(drift(plan, call('update_file', '../x'))).toContain('no step changes')
  }
  expect(drift(approved([{ files: ['/'] }]), call('update_file', '/etc/passwd'))).toContain('no step changes')
  expect(drift(approved([{ files: ['/granted'] }]), call('update_file', '/granted/x'))).toBeUndefined()
})

test('a skipped step covers nothing, even when no other names anything', () => {
  const steps = [
    { tools_needed: ['update_file'], files: ['a'] },
    { tools_needed: ['shell'], files: ['b'] },
  ]
  const plan = approved(steps, [{ step_number: 2, decision: 'skip' }])
  expect(drift(plan, call('update_file', 'a'))).toBeUndefined()
  expect(drift(plan, call('update_file', 'b'))).toContain('no step changes b')
  expect(drift(plan, call('shell'))).toContain('no step needs shell')
  const rest = approved([{}, steps[1] ?? {}], [{ step_number: 2, decision: 'skip' }])
  expect(drift(rest, call('shell'))).toContain('no step needs shell')
  expect(drift(rest, call('update_file', 'b'))).toContain('no step needs update_file')
})
