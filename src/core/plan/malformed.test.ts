import { expect, test } from 'vitest'
import type { Plan } from '../../schema/plan.ts'
import type { Question } from '../../schema/question.ts'
import { malformed, nasties, seeded } from './malformed.test-support.ts'
import { parsePlan } from './parse-plan.ts'
import { parseQuestion } from './parse-question.ts'

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 4_000
const isOptional = (value: unknown): boolean => value === undefined || isText(value)
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const hasOnly = (value: object, ...keys: string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key)) && Object.getPrototypeOf(value) === Object.prototype

const isPlan = (plan: Plan): boolean =>
  hasOnly(plan, 'goal', 'steps', 'estimated_total_time', 'risks', 'prerequisites') &&
  isText(plan.goal) &&
  plan.steps.length >= 1 &&
  plan.steps.length <= 100 &&
  plan.steps.every(
    (step, index) =>
      hasOnly(step, 'step_number', 'action', 'reason', 'tools_needed', 'estimated_time', 'files') &&
      step.step_number === index + 1 &&
      isText(step.action) &&
      typeof step.reason === 'string' &&
      areTexts(step.tools_needed) &&
      isOptional(step.estimated_time) &&
      (step.files === undefined || areTexts(step.files)),
  ) &&
  isOptional(plan.estimated_total_time) &&
  areTexts(plan.risks) &&
  areTexts(plan.prerequisites)

const isQuestion = (question: Question): boolean =>
  hasOnly(question, 'question', 'context', 'severity', 'options', 'default') &&
  isText(question.question) &&
  isOptional(question.context) &&
  ['critical', 'major', 'minor'].includes(question.severity) &&
  question.options.length <= 20 &&
  question.options.every(
    (option) =>
      hasOnly(option, 'label', 'value', 'description') &&
      isText(option.label) &&
      isText(option.value) &&
      isOptional(option.description),
  ) &&
  (question.default === undefined || question.options.some(({ value }) => value === question.default))

test('2,000 malformed texts: never an exception, always a valid plan or question or nothing, and quickly', () => {
  const random = seeded(20_240_611)
  const texts = [...nasties, ...Array.from({ length: 2_000 - nasties.length }, () => malformed(random))]
  expect(texts).toHaveLength(2_000)
  let [plans, questions] = [0, 0]
  const began = performance.now()
  for (const text of texts) {
    const plan = parsePlan(text)
    const question = parseQuestion(text)
    if (plan && !isPlan(plan)) expect.fail(`not a plan: ${JSON.stringify(plan)} from ${text}`)
    if (question && !isQuestion(question))
      expect.fail(`not a question: ${JSON.stringify(question)} from ${text}`)
    plans += plan ? 1 : 0
    questions += question ? 1 : 0
  }
  // 5 ms each: the bound is on the whole batch, because a busy machine may stop us anywhere.
  expect(performance.now() - began).toBeLessThan(texts.length * 5)
  // The generator makes good ones, too; otherwise this would prove little.
  expect(Math.min(plans, questions)).toBeGreaterThan(200)
  expect(({} as Record<string, unknown>)['goal']).toBeUndefined()
})

test('nothing is found where the required parts are missing', () => {
  const found = nasties.map((text) => Boolean(parsePlan(text) ?? parseQuestion(text)))
  const good = nasties.filter((_, index) => found[index])
  expect(good.map((text) => JSON.stringify(text.slice(0, 40)))).toMatchInlineSnapshot(`
    [
      ""{\\"goal\\":\\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"",
      ""{\\"type\\":\\"question\\",\\"question\\":\\"q\\",\\"optio"",
      ""{\\"goal\\":1,\\"steps\\":[{\\"action\\":2,\\"step_num"",
      ""{\\"goal\\":\\"\\ud83d\\",\\"steps\\":[\\"\\udc00\\"]}"",
      ""﻿{\\"goal\\":\\"g\\",\\"steps\\":[{\\"action\\":\\"a\\"}]}"",
      ""{\\"goal\\":\\"g\\",\\"steps\\":[{\\"action\\":\\"a\\"}]}{\\"g"",
    ]
  `)
})
