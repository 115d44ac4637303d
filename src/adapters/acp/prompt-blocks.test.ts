import { expect, test } from 'vitest'
import type { ModelMessage } from '../../ports/model.ts'
import { type Known, findSession, promptBlocks, sessionMetadata } from './prompt-blocks.ts'

const user = (text: string): ModelMessage => ({ role: 'user', text })
const reply = (text: string, session?: string): ModelMessage => ({
  role: 'assistant',
  text,
  calls: [],
  ...(session && { metadata: sessionMetadata('me', session) }),
})

const send = (messages: ModelMessage[], known: Partial<Known> = {}) =>
  promptBlocks(
    { system: 'rules', messages, tools: [] },
    { session_id: 's1', seen: 0, live: false, images: false, ...known },
  ).map(({ text, type }) => text ?? type) as string[]

test('a new session gets the instructions and the prompt', () => {
  expect(send([user('hello')])).toEqual(['<instructions>\nrules\n</instructions>', 'hello'])
})

test('a living one gets only what is new, all of it', () => {
  const messages = [user('one'), reply('1', 's1'), user('two'), user('and three')]
  expect(send(messages, { seen: 1, live: true, told: 'rules' })).toEqual(['two', 'and three'])
})

test('what was said elsewhere goes ahead as a record', () => {
  const messages = [user('one'), reply('1', 's0'), user('two')]
  const [, record, prompt] = send(messages)
  expect(record).toContain('Person: one\n\nAgent: 1')
  expect(prompt).toBe('two')
  expect(send(messages, { seen: 1, live: true, told: 'rules' })).toEqual([
    expect.stringContaining('Agent: 1'),
    'two',
  ])
})

test('a prompt that may have been worked on is not given again', () => {
  const [, record, prompt] = send([user('delete it'), user('You were interrupted')])
  expect(record).toContain('Person: delete it')
  expect(prompt).toBe('You were interrupted')
})

test('a long record keeps its beginning and its end', () => {
  const messages = Array.from({ length: 100 }, (_, index) => user(`${index} ${'x'.repeat(1_000)}`))
  const [, record = ''] = send([...messages, user('now')])
  expect(record.length).toBeLessThan(26_000)
  expect(record).toMatch(/Person: 0 x/)
  expect(record).toMatch(/\[… \d+ messages left out …\]/)
  expect(record).toMatch(/Person: 99 x/)
})

test('images are shown to those who can see', () => {
  const message: ModelMessage = {
    role: 'user',
    text: 'look',
    images: [{ media_type: 'image/png', data: 'AA==' }],
  }
  expect(send([message], { told: 'rules', images: true })).toEqual(['look', 'image'])
  expect(send([message], { told: 'rules' })).toEqual(['look', '[an image, which you cannot be shown]'])
})

test('the last session of the same agent is found again', () => {
  const messages = [user('one'), reply('1', 's0'), user('two'), reply('other'), user('three')]
  expect(findSession(messages, 'me')).toEqual({ session_id: 's0', seen: 2 })
  expect(findSession(messages, 'you')).toBeUndefined()
})
