import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { parseQuestion } from '../../src/core/plan/parse-question.ts'
import { recordingModel } from '../../src/engine/engine.test-support.ts'
import { answerByPolicy } from '../../src/headless/answer-policy.ts'
import type { Pending, PendingAnswer } from '../../src/schema/pending.ts'
import { create } from '../support/plans.ts'
import type { Envelope } from '../../src/schema/envelope.ts'
import { cardText, pendingCard } from '../../src/view/pending-card.ts'
import { Program, readResult } from '../support/program.ts'
import { Workbench } from '../support/workbench.ts'

const question = {
  type: 'question',
  question: 'Should I also update the test files?',
  context: 'I noticed tests use old API',
  severity: 'minor',
  options: [
    { label: 'Yes, update tests', value: 'update_tests', description: 'Update test files to match' },
    { label: 'No, skip tests', value: 'skip_tests', description: 'Leave tests as-is' },
  ],
  default: 'skip_tests',
}
const { type: _type, ...asked } = question
const asks = { text: `I need to know:\n\`\`\`json\n${JSON.stringify(question)}\n\`\`\`` }

/** An agent that asks, and what it reads when it was answered. */
async function askAndAnswer(answer: Extract<PendingAnswer, { kind: 'question' }>) {
  const { model, requests } = recordingModel(
    scriptedModel([asks, { calls: [create('answered.txt')] }, { text: 'Went on.' }]),
  )
  const bench = new Workbench({ model })
  const turn_id = await bench.start('update the API', { permission: 'ask' })
  const { pending } = await bench.event('pending.opened')
  const send = (given: PendingAnswer, by = 'test') =>
    bench.engine.execute({ type: 'answer_pending', turn_id, pending_id: pending.id, answer: given, by })
  const before = await bench.engine.open(bench.chat)
  const first = await send(answer)
  const second = await send({ kind: 'question', value: 'update_tests' }, 'late')
  await bench.engine.whenIdle(bench.chat)
  return { bench, pending, before, first, second, requests, turn: await bench.engine.turn(turn_id) }
}

test('PLAN-5.1 a question pauses the work and is a Question message; the answer goes to the agent and work resumes', async () => {
  const { bench, pending, before, first, second, requests, turn } = await askAndAnswer({
    kind: 'question',
    value: 'update_tests',
  })
  expect(pending).toEqual({ id: expect.any(String), kind: 'question', ...asked })
  expect(before.open_turn).not.toBeNull()
  expect(before.messages?.last).toMatchObject({
    ...{ role: 'agent', message_type: 'Question' },
    ...{ text: question.question, pending_id: pending.id },
  })
  expect(first).toEqual({ accepted: true })
  expect(second).toMatchObject({ accepted: false, reason: expect.stringContaining('answered already') })
  expect(requests[1]?.messages.at(-1)).toEqual({
    role: 'user',
    text: 'Answer to your question "Should I also update the test files?": Yes, update tests (update_tests)',
  })
  expect(turn).toMatchObject({ outcome: 'complete', answer: 'Went on.' })
  expect(readFileSync(join(bench.folder, 'answered.txt'), 'utf8')).toBe('x\n')
})

test('a question may be answered in other words, beside an option or instead of one, and they arrive verbatim', async () => {
  const words = 'Only those in   src/api — "quoted", {"json": 1}\nand nothing else'
  const instead = await askAndAnswer({ kind: 'question', value: '', text: words })
  const heard = instead.requests[1]?.messages.at(-1)
  expect(heard).toMatchObject({ role: 'user', text: expect.stringContaining(`: ${words}`) })
  const beside = await askAndAnswer({ kind: 'question', value: 'skip_tests', text: words })
  expect(beside.requests[1]?.messages.at(-1)).toMatchObject({
    text: expect.stringContaining(`No, skip tests (skip_tests). ${words}`),
  })
  const unknown = await askAndAnswer({ kind: 'question', value: 'delete_tests' })
  expect(unknown.first).toEqual({
    accepted: false,
    reason: '"delete_tests" is none of update_tests, skip_tests',
  })
})

test('without a person a question fails the run, takes its default, or the first option, as --on-pending says', async () => {
  const pending: Pending = { id: 'p', kind: 'question', ...asked, severity: 'minor' }
  const { default: _default, ...open } = pending
  expect(answerByPolicy(pending, 'fail')).toBeUndefined()
  expect(answerByPolicy(pending, 'default')).toEqual({ kind: 'question', value: 'skip_tests' })
  expect(answerByPolicy(open, 'default')).toBeUndefined()
  expect(answerByPolicy(open, 'approve')).toEqual({ kind: 'question', value: 'update_tests' })

  const program = new Program()
  const model = program.replies(asks, { text: 'Skipped the tests.' })
  const stuck = await program.run(['-p', 'go', model, '--output-format', 'json'])
  const { status, chat_id, final_answer } = readResult(stuck.stdout)
  expect({ code: stuck.code, status }).toEqual({ code: 54, status: 'pending' })
  expect(final_answer).toContain('Should I also update the test files?')
  const resumed = await program.run(['-p', '-r', chat_id, model, '--on-pending', 'default'])
  expect({ code: resumed.code, stdout: resumed.stdout }).toEqual({ code: 0, stdout: 'Skipped the tests.\n' })
})

test('PLAN-5.1 the person sees the question as a card, chooses an option, and the work goes on', async () => {
  const program = new Program()
  const model = program.replies(asks, { text: 'Updated the tests.' })
  const stuck = await program.run(['-p', 'go', model])
  expect(stuck.code).toBe(54)
  expect(stuck.stdout).toBe(
    [
      'Waiting for you:',
      `Question · ${question.severity}`,
      `  ${question.question}`,
      `  ${question.context}`,
      '  1  Yes, update tests: Update test files to match',
      '  2  No, skip tests (default): Leave tests as-is',
      '  or any other words\n',
    ].join('\n'),
  )
  expect(stuck.stderr).toContain('conclave answer -r chat_')
  expect(await program.run(['answer', '3', model])).toMatchObject({ code: 0 })

  const again = new Program()
  const model2 = again.replies(asks, { text: 'Updated the tests.' })
  const asked2 = await again.run(['-p', 'go', model2, '--output-format', 'json'])
  const { chat_id } = readResult(asked2.stdout)
  const answered = await again.run(['answer', '1', '-r', chat_id, model2])
  expect(answered).toMatchObject({ code: 0, stdout: 'Updated the tests.\n' })
  const log = await again.run(['sessions', 'export', chat_id, '--format', 'json'])
  const events = log.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Envelope).event)
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'pending.answered',
      answer: { kind: 'question', value: 'update_tests' },
      by: 'person',
    }),
  )
  const late = await again.run(['answer', '1', '-r', chat_id, model2])
  expect(late).toMatchObject({ code: 42, stderr: expect.stringContaining('waits for nothing') })
})

test('PLAN-5.2 a severity is critical, major or minor, and says how a question is shown', () => {
  const read = (severity: unknown) => parseQuestion(JSON.stringify({ ...question, severity }))
  expect(
    ['critical', 'major', 'minor', undefined, 'catastrophic', 7].map((given) => read(given)?.severity),
  ).toEqual([...['critical', 'major', 'minor', 'minor', 'major', 'major']])
  const card = (severity: string) => {
    const asked = read(severity)
    if (!asked) throw new Error('no question')
    return pendingCard({ id: 'p', kind: 'question', ...asked })
  }
  expect(card('critical')).toMatchObject({ accent: 'red', prominent: true })
  expect(card('critical').default).toBeUndefined()
  expect(cardText(card('critical'))).toMatch(/^!! Question · critical !!/)
  expect(card('major')).toMatchObject({ accent: 'amber', prominent: false, default: 'skip_tests' })
  expect(card('minor')).toMatchObject({ accent: 'grey', prominent: false, default: 'skip_tests' })
})
