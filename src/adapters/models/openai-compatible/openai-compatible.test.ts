import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Answer, answers, delta, event, says, streams } from '../../../../test/support/fault-server.ts'
import { setUp, text } from './openai-compatible.test-support.ts'

test('posts the request with the key and further headers, and streams the reply', async () => {
  const chunks = [delta({ content: 'he' }), delta({ content: 'llo' }), delta({}, 'stop')]
  const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }
  const { server, ask } = await setUp(
    { api_key: 'secret', headers: { 'x-team': 'blue' } },
    streams(...chunks, usage),
  )
  expect(await ask()).toEqual([text('he'), text('llo'), { type: 'usage', input_tokens: 5, output_tokens: 2 }])
  const [received] = server.requests
  expect(received?.path).toBe('/v1/chat/completions')
  expect(received?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-team': 'blue' })
  expect(JSON.parse(received?.body ?? '')).toMatchObject({ model: 'm', stream: true })
})

test('reads a reply that is split at every byte of it', async () => {
  const body = Buffer.from(event(delta({ content: 'né🙂' })) + event(delta({}, 'stop')))
  const bytewise: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.socket?.setNoDelay(true)
    for (const byte of body) {
      response.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
    response.end()
  }
  const { ask } = await setUp({}, bytewise)
  expect(await ask()).toEqual([text('né🙂')])
})

test('gives out tool calls whole, after the text', async () => {
  const pieces = ['{"pa', 'th":', '"x"}'].map((part) =>
    delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'read_file', arguments: part } }] }),
  )
  const { ask } = await setUp({}, streams(...pieces, delta({ content: 'ok' }, 'tool_calls')))
  expect(await ask()).toEqual([
    text('ok'),
    { type: 'call', id: 'c', name: 'read_file', arguments: '{"path":"x"}' },
  ])
})

test('takes an answer that is not streamed', async () => {
  const tool_calls = [{ id: 'c', type: 'function', function: { name: 't', arguments: '{}' } }]
  const message = { role: 'assistant', content: 'whole', reasoning_content: 'why', tool_calls }
  const body = { choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: 1 } }
  const { ask } = await setUp({}, answers(200, JSON.stringify(body)))
  expect(await ask()).toEqual([
    { type: 'reasoning', text: 'why' },
    text('whole'),
    { type: 'usage', input_tokens: 1, output_tokens: 0 },
    { type: 'call', id: 'c', name: 't', arguments: '{}' },
  ])
})

test('takes the end mark for an end, also from a server that gives no finish_reason', async () => {
  const { ask } = await setUp({}, streams(delta({ content: 'fine' })))
  expect(await ask()).toEqual([text('fine')])
})

test('does not wait for a server that keeps the stream open after the end mark', async () => {
  const open: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`${event(delta({ content: 'fine' }, 'stop'))}data: [DONE]\n\n`)
  }
  const { ask } = await setUp({}, open)
  expect(await ask()).toEqual([text('fine')])
})

test('asks again over the same connection, which outlives the signal of the first request', async () => {
  const { server, ask } = await setUp({}, says('one'), says('two'))
  const first = new AbortController()
  await ask(first.signal)
  await sleep(20)
  first.abort()
  expect(await ask()).toEqual([text('two')])
  expect(server.requests.map(({ connection }) => connection)).toEqual([0, 0])
})
