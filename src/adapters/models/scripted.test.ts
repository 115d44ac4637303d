import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/workbench.ts'
import type { ModelMessage, ModelPart } from '../../ports/model.ts'
import { type ScriptedReply, loadScript, scriptedModel } from './scripted.ts'

async function ask(
  replies: ScriptedReply[],
  said: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> {
  const reply: ModelMessage = { role: 'assistant', text: 'x', calls: [] }
  const messages: ModelMessage[] = [
    { role: 'user', text: 'hi' },
    ...Array.from({ length: said }, () => reply),
  ]
  const parts: ModelPart[] = []
  const request = { system: '', messages, tools: [] }
  for await (const part of scriptedModel(replies).stream(request, signal)) parts.push(part)
  return parts
}

const free = { type: 'usage', input_tokens: 0, output_tokens: 0, cost_usd: 0 }

test('gives the reply that is due after what was said, however often it is asked', async () => {
  const call = { name: 'read_file', input: { path: 'x' } }
  const replies = [{ text: 'looking', reasoning: 'hm', calls: [call] }, { text: 'done' }]
  for (let time = 0; time < 2; time++) {
    expect(await ask(replies, 0)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'looking' },
      { type: 'call', id: '0', name: 'read_file', arguments: '{"path":"x"}' },
      free,
    ])
    expect(await ask(replies, 1)).toEqual([{ type: 'text', text: 'done' }, free])
  }
})

test('repeats the words of its last reply when it has run out, not its calls', async () => {
  const replies = [{ text: 'again', calls: [{ name: 'shell', input: {} }] }]
  expect(await ask(replies, 5)).toEqual([{ type: 'text', text: 'again' }, free])
})

test('fails when the script says so, or says nothing', async () => {
  expect(await ask([{ fails: 'no' }], 0)).toEqual([
    { type: 'failed', failure: { kind: 'model', message: 'no' } },
  ])
  expect(await ask([], 0)).toEqual([
    { type: 'failed', failure: { kind: 'model', message: 'the script has no replies' } },
  ])
})

test('ends without a word when it is aborted, before or during its pause', { timeout: 10_000 }, async () => {
  const slow = [{ text: 'late', delay_ms: 60_000 }]
  expect(await ask(slow, 0, AbortSignal.abort())).toEqual([])
  expect(await ask(slow, 0, AbortSignal.timeout(10))).toEqual([])
})

test('reads a list of replies, bare or in an object', async () => {
  const file = join(temporaryFolder(), 'script.json')
  for (const script of ['[{"text":"a"}]', '{"replies":[{"text":"a"}]}']) {
    writeFileSync(file, script)
    expect(await loadScript(file)).toEqual({ replies: [{ text: 'a' }] })
  }
})

test.each([
  ['', 'is not JSON'],
  ['[', 'is not JSON'],
  ['null', 'has no replies'],
  ['"text"', 'has no replies'],
  ['{"replies":{}}', 'has no replies'],
  ['[null]', 'reply 1 is not an object'],
  ['[{"text":"a"},[]]', 'reply 2 is not an object'],
  ['[{}]', 'reply 1 has neither text nor calls'],
  ['[{"text":1}]', 'reply 1: text must be a string'],
  ['[{"text":"a","reasoning":{}}]', 'reply 1: reasoning must be a string'],
  ['[{"fails":true}]', 'reply 1: fails must be a string'],
  ['[{"text":"a","delay_ms":"1"}]', 'reply 1: delay_ms must be a number'],
  ['[{"text":"a","usage":{"input_tokens":"1"}}]', 'reply 1: usage needs the numbers'],
  ['[{"calls":{}}]', 'reply 1: calls must be a list'],
  ['[{"calls":[{"name":"x","input":{}},{"name":"x"}]}]', 'reply 1: call 2 needs a name and an input object'],
  ['[{"calls":[{"name":"x","input":null}]}]', 'reply 1: call 1 needs a name and an input object'],
  ['[{"calls":[{"name":"x","input":[]}]}]', 'reply 1: call 1 needs a name and an input object'],
  ['[{"calls":[{"input":{}}]}]', 'reply 1: call 1 needs a name and an input object'],
])('refuses the script %s', async (script, message) => {
  const file = join(temporaryFolder(), 'script.json')
  writeFileSync(file, script)
  const failure = { kind: 'input', message: expect.stringContaining(message), hint: expect.any(String) }
  expect(await loadScript(file)).toEqual({ failure })
})
