import { expect, test } from 'vitest'
import { ACT_MODE_VERSION, actMode } from './sections/act-mode.ts'
import { PLAN_MODE_VERSION, planMode } from './sections/plan-mode.ts'
import { systemPrompt } from './system-prompt.ts'

const facts = { folder: '/project', platform: 'linux' }

test('the Plan section, word for word: a change raises its version', () => {
  expect({ version: PLAN_MODE_VERSION, text: planMode }).toMatchSnapshot()
})

test('the Act section, word for word: a change raises its version', () => {
  expect({ version: ACT_MODE_VERSION, text: actMode }).toMatchSnapshot()
})

test('a prompt has the section of its mode and no other, and is the same every time', () => {
  const plan = systemPrompt({ ...facts, mode: 'Plan' })
  const act = systemPrompt({ ...facts, mode: 'Act' })
  expect([plan.includes(planMode), plan.includes(actMode)]).toEqual([true, false])
  expect([act.includes(planMode), act.includes(actMode)]).toEqual([false, true])
  expect(systemPrompt({ ...facts, mode: 'Plan' })).toBe(plan)
})

test('an explorer is not told to write plans, and what the config says comes first', () => {
  const nested = systemPrompt({ ...facts, mode: 'Plan', nested: true })
  expect(nested).not.toContain('PLAN mode')
  expect(systemPrompt({ ...facts, mode: 'Act', system_message: 'Speak French.' })).toMatch(
    /^Speak French\.\n\n/,
  )
})
