import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { parsePlan } from '../../src/core/plan/parse-plan.ts'
import { parseQuestion } from '../../src/core/plan/parse-question.ts'
import { recordingModel } from '../../src/engine/engine.test-support.ts'
import type { ModelRequest } from '../../src/ports/model.ts'
import type { ChatMode } from '../../src/schema/chat-config.ts'
import { Workbench } from '../support/workbench.ts'

/** The first request of a plain turn. */
async function firstRequest(mode: ChatMode): Promise<ModelRequest> {
  const { model, requests } = recordingModel(scriptedModel([{ text: 'Hello.' }]))
  await new Workbench({ model }).run('hello', { mode })
  const [first] = requests
  if (!first) throw new Error('the model was not asked')
  return first
}

test('PLAN-7.1 the Plan prompt names the mode, its purpose, its limits, the format with an example, and who executes', async () => {
  const { system } = await firstRequest('Plan')
  for (const words of [
    'You are in PLAN mode',
    'analyse, plan and discuss',
    'the person reviews what you propose before anything happens',
    'read-only tools only',
    'They may go round several times',
    'only the person can switch to ACT mode',
  ]) {
    expect(system).toContain(words)
  }
  expect(system).not.toContain('ACT mode. Its purpose')
  const lines = system.split('\n')
  const format = lines.find((line) => line.startsWith('{"goal"')) ?? ''
  expect(Object.keys(JSON.parse(format))).toEqual([
    ...['goal', 'steps', 'estimated_total_time', 'risks', 'prerequisites'],
  ])
  expect(Object.keys(JSON.parse(format).steps[0])).toEqual(
    expect.arrayContaining(['step_number', 'action', 'reason', 'tools_needed', 'estimated_time']),
  )
  const example = lines.find((line) => line.includes('Example:'))?.split('Example: ')[1] ?? ''
  expect(parsePlan(example)?.steps.length).toBeGreaterThan(1)
})

test('PLAN-7.2 the Act prompt names the mode, its purpose, when to ask, the format, and the severities', async () => {
  const { system } = await firstRequest('Act')
  for (const words of [
    'You are in ACT mode',
    'carry out the approved plan',
    'Small changes: proceed',
    'Medium changes: proceed and mention it',
    'Large changes: ask first',
    'To ask, reply with this JSON alone; work pauses until the person answers',
    'critical = ',
    'major = ',
    'minor = ',
  ]) {
    expect(system).toContain(words)
  }
  expect(system).not.toContain('PLAN mode')
  const format = system.split('\n').find((line) => line.startsWith('{"type": "question"')) ?? ''
  expect(parseQuestion(format)).toMatchObject({ severity: 'minor', default: 'skip_tests' })
})

test('the whole first request of a plain turn stays small: below 2,500 tokens at four characters each', async () => {
  for (const mode of ['Act', 'Plan'] as const) {
    const { system, tools } = await firstRequest(mode)
    expect((system.length + JSON.stringify(tools).length) / 4, mode).toBeLessThan(2_500)
  }
})
