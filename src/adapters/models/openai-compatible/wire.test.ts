import { expect, test } from 'vitest'
import type { ModelRequest } from '../../../ports/model.ts'
import { toWire } from './wire.ts'

test('maps a conversation to Chat Completions', () => {
  const parameters = { type: 'object', properties: {} }
  const wire = toWire(
    { model: 'm' },
    {
      system: 'be brief',
      messages: [
        { role: 'user', text: 'hi' },
        { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'read_file', input: { path: 'a' } }] },
        { role: 'tool', call_id: 'c1', name: 'read_file', output: 'text', success: true },
        { role: 'assistant', text: 'done', calls: [] },
      ],
      tools: [{ name: 'read_file', description: 'reads', parameters }],
    },
  )
  expect(wire).toEqual({
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'text' },
      { role: 'assistant', content: 'done' },
    ],
    tools: [{ type: 'function', function: { name: 'read_file', description: 'reads', parameters } }],
  })
})

test('keeps what an assistant said beside its calls, and leaves out an empty list of tools', () => {
  const wire = toWire(
    { model: 'm' },
    {
      system: '',
      messages: [{ role: 'assistant', text: 'looking', calls: [{ id: 'c', name: 't', input: {} }] }],
      tools: [],
    },
  )
  expect(wire).toMatchObject({ messages: [{ role: 'system' }, { content: 'looking' }] })
  expect(wire).not.toHaveProperty('tools')
})

test('starts every request with the bytes of the one before', () => {
  const first: ModelRequest = { system: 's', messages: [{ role: 'user', text: 'hi' }], tools: [] }
  const second: ModelRequest = {
    ...first,
    messages: [...first.messages, { role: 'assistant', text: 'yes', calls: [] }],
  }
  const before = JSON.stringify(toWire({ model: 'm' }, first)).replace(/\]\}$/, '')
  expect(JSON.stringify(toWire({ model: 'm' }, second)).startsWith(before)).toBe(true)
})
