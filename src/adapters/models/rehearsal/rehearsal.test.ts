import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  READ_ONLY,
  drive,
  inCopy,
  modelTools,
  reply,
  snapshot,
} from '../../../../test/fixtures/projects/drive.ts'
import type { ModelMessage, ModelPart } from '../../../ports/model.ts'
import { rehearsalModel } from './rehearsal.ts'

const demo = join(import.meta.dirname, '../../../../samples/demo')
const RENAME = 'rename calcTotal to orderTotal'
const collect = async (stream: AsyncIterable<ModelPart>): Promise<ModelPart[]> => {
  const parts: ModelPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}
const WITHOUT_SHELL = [...READ_ONLY, 'update_file', 'create_file', 'delete_file']

describe('replies', () => {
  test('text comes in pieces, calls carry numbered ids, usage costs nothing', async () => {
    const messages: ModelMessage[] = [{ role: 'user', text: RENAME }]
    const parts = await collect(
      rehearsalModel().stream(
        { system: 'x'.repeat(400), messages, tools: modelTools() },
        new AbortController().signal,
      ),
    )
    expect(parts.filter(({ type }) => type === 'text').length).toBeGreaterThan(1)
    expect(parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))).toEqual([
      'call_1',
      'call_2',
      'call_3',
    ])
    const usage = parts.at(-1)
    expect(usage).toMatchObject({ type: 'usage', cost_usd: 0 })
    expect(usage?.type === 'usage' && usage.input_tokens).toBeGreaterThan(100)
  })

  test('an aborted stream just ends', async () => {
    const request = { system: '', messages: [{ role: 'user', text: 'hello' } as const], tools: [] }
    expect(await collect(rehearsalModel().stream(request, AbortSignal.abort()))).toEqual([])
  })

  test.each(['hello', 'say hello', 'Good morning!'])('%s gets one friendly line', async (text) => {
    const greeting = await reply({ system: '', messages: [{ role: 'user', text }], tools: modelTools() })
    expect(greeting.text).toMatch(/^Hello!.*not a language model/)
    expect(greeting.text).not.toContain('\n')
  })

  test('what it cannot do is said plainly, with what it can do and how to connect a model', async () => {
    const help = await reply({
      system: '',
      messages: [{ role: 'user', text: 'write a poem' }],
      tools: modelTools(),
    })
    for (const words of [
      'not a language model',
      'rename',
      'ANTHROPIC_API_KEY',
      'Ollama',
      'conclave.yaml',
      'conclave doctor',
    ]) {
      expect(help.text).toContain(words)
    }
  })

  test('a job whose tools are not offered is not begun', async () => {
    const { text, calls } = await reply({ system: '', messages: [{ role: 'user', text: RENAME }], tools: [] })
    expect(calls).toEqual([])
    expect(text).toContain('I need the tool `search_code`')
  })
})

test('every prefix of a conversation leads to the same next reply', async () => {
  await inCopy(demo, async (folder) => {
    const { messages } = await drive(folder, RENAME)
    const replayed: ModelMessage[] = []
    let replies = 0
    for (const message of messages) {
      if (message.role === 'assistant') {
        const { text, calls } = await reply({
          system: '',
          messages: structuredClone(replayed),
          tools: modelTools(),
        })
        expect({ role: 'assistant', text, calls }).toEqual(message)
        replies++
      }
      replayed.push(message)
    }
    expect(replies).toBeGreaterThan(5)
  })
})

test('several tasks in one conversation are worked on one after the other', async () => {
  await inCopy(demo, async (folder) => {
    const first = await drive(folder, RENAME, { tools: WITHOUT_SHELL })
    const second = await drive(folder, 'where is orderTotal used?', { history: first.messages })
    expect(second.answer).toMatch(/^`orderTotal` is found/)
    expect(
      new Set(
        second.messages.flatMap((message) =>
          message.role === 'assistant' ? message.calls.map(({ id }) => id) : [],
        ),
      ).size,
    ).toBe(first.calls.length + second.calls.length)
    const back = await drive(folder, 'rename orderTotal to calcTotal', {
      history: second.messages,
      tools: WITHOUT_SHELL,
    })
    expect(back.answer).toContain('Renamed `orderTotal` to `calcTotal`: 19 occurrences in 9 files')
  })
})

describe('Plan mode', () => {
  test('a rename becomes a plan, and nothing is changed', async () => {
    await inCopy(demo, async (folder) => {
      const before = await snapshot(folder)
      const { answer, messages } = await drive(folder, `${RENAME} in src`, { tools: READ_ONLY })
      const plan = JSON.parse(answer)
      expect(plan.goal).toBe('Rename `calcTotal` to `orderTotal` only in src')
      expect(plan.steps.map((step: { step_number: number }) => step.step_number)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8,
      ])
      expect(plan.steps[1]).toEqual({
        step_number: 2,
        action: 'Rename `calcTotal` to `orderTotal` in src/cart.js (line 2, 16, 18)',
        reason: 'src/cart.js uses `calcTotal`',
        tools_needed: ['read_file', 'update_file'],
        estimated_time: 'seconds',
      })
      expect(plan).toMatchObject({
        risks: expect.any(Array),
        prerequisites: expect.any(Array),
        estimated_total_time: expect.any(String),
      })
      expect(await snapshot(folder)).toEqual(before)

      const refined = await drive(folder, 'leave src/tax.js alone', { history: messages, tools: READ_ONLY })
      expect(JSON.parse(refined.answer).goal).toBe(
        'Rename `calcTotal` to `orderTotal` only in src except src/tax.js',
      )

      const acted = await drive(folder, 'Execute the plan.', {
        history: refined.messages,
        tools: WITHOUT_SHELL,
      })
      expect(acted.answer).toContain('10 occurrences in 5 files')
    })
  })

  test.each([
    'create notes/todo.md with the content:\n```\n# To do\n\n- milk\n```',
    'in README.md replace "A small shop" with "The shop"',
    'append "the end" to README.md',
    'delete docs/pricing.md',
  ])('%s: the goal of its plan, handed over, does the same', async (prompt) => {
    await inCopy(demo, async (folder) => {
      const before = await snapshot(folder)
      const { answer } = await drive(folder, prompt, { tools: READ_ONLY })
      expect(JSON.parse(answer).steps).toHaveLength(1)
      expect(await snapshot(folder)).toEqual(before)
      await drive(folder, prompt)
      const direct = await snapshot(folder)
      expect(direct).not.toEqual(before)
      await inCopy(demo, async (other) => {
        await drive(other, `Carry out this plan:\n${answer}`)
        expect(await snapshot(other)).toEqual(direct)
      })
    })
  })
})

test('2,000 random prompts never throw, and end with text', async () => {
  const word = fc.oneof(
    fc.constantFrom(
      'rename',
      'calcTotal',
      'orderTotal',
      'Cart',
      'to',
      'find',
      'usages',
      'of',
      'in',
      'src',
      'create',
      'a.md',
      'with',
      'replace',
      'append',
      'summarise',
      '"x y"',
      '`due`',
      '```\nx\n```',
      'README.md',
      'except',
      'docs',
      '()',
      'Reflect:',
      'Correction from the person:',
      '{"goal": "x", "steps": []}',
    ),
    fc.string({ maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const prompts = fc.sample(
    fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(' ')),
    { numRuns: 2_000, seed: 7 },
  )
  // The planner alone decides when to stop: every call fails, so nothing it hopes for comes.
  for (const prompt of prompts) {
    const messages: ModelMessage[] = [{ role: 'user', text: prompt }]
    let text = ''
    for (let step = 0; step < 8 && text === ''; step++) {
      const next = await reply({ system: '', messages, tools: modelTools() })
      messages.push({ role: 'assistant', text: next.text, calls: next.calls })
      for (const { id, name } of next.calls)
        messages.push({ role: 'tool', call_id: id, name, output: 'it failed', success: false })
      if (next.calls.length === 0) text = next.text
    }
    expect(text, prompt).not.toBe('')
  }
})

test('random prompts in a real folder end within their bounds', async () => {
  const names = ['calcTotal', 'Cart', 'due', 'lines', 'total', '$x', 'nothingLikeIt']
  const templates = [
    (a: string, b: string) => `rename ${a} to ${b}`,
    (a: string) => `find usages of ${a}`,
    (a: string, b: string) => `in README.md replace ${a} with ${b}`,
    (a: string, b: string) => `create ${a}.md containing ${b}`,
    (a: string) => `append ${a} to docs/pricing.md`,
    () => 'summarise src',
  ]
  const prompt = fc
    .tuple(fc.constantFrom(...templates), fc.constantFrom(...names), fc.constantFrom(...names))
    .map(([template, a, b]) => template(a, b))
  await inCopy(demo, async (folder) => {
    for (const text of fc.sample(prompt, { numRuns: 60, seed: 11 })) {
      const { answer } = await drive(folder, text, { tools: WITHOUT_SHELL })
      expect(answer.trimEnd(), text).toMatch(/not by a language model\.$/)
    }
  })
})
