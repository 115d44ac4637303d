import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../../src/adapters/models/resilient/limits.ts'
import type { ModelPart } from '../../../src/ports/model.ts'
import {
  type Answer,
  answers,
  calls,
  delta,
  event,
  faultServer,
  says,
  streams,
} from '../../support/fault-server.ts'
import { Workbench } from '../../support/workbench.ts'
import { faults } from './faults.ts'
import { either, hasty, open, patient } from './schedule.ts'

const named = (name: string): Answer => {
  const fault = faults.find((each) => each.name === name)
  if (!fault) throw new Error(`no fault ${name}`)
  return fault.answer('effect')
}

const silences = [
  'says nothing',
  'headers, then silence',
  'a call, then silence',
  'a byte at a time',
  'pings only',
  'empty pieces only',
]

const halfThenPings: Answer = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(event(delta({ content: 'half' })))
  while (!response.destroyed) {
    response.write(': ping\n\n')
    await sleep(5)
  }
}

test.each([...silences, 'half a reply, then pings'])(
  '25 %s: the idle timeout counts progress, and the next turn works',
  async (name) => {
    const answer = name.startsWith('half') ? halfThenPings : named(name)
    let healed = false
    const server = await faultServer((response, request) =>
      (healed ? says('fine') : answer)(response, request),
    )
    const model = either(hasty(server.url), patient(server.url), () => healed)
    const bench = new Workbench({ model })
    const turn = await bench.run('go')
    expect(turn.failure).toMatchObject({
      kind: 'network',
      message: expect.stringMatching(/did not begin to answer within 0.12 s|nothing new for 0.12 s/),
    })
    // Once something was shown there is no second attempt.
    expect(server.requests).toHaveLength(name.startsWith('half') ? 1 : 4)
    healed = true
    expect(await bench.run('again')).toMatchObject({ outcome: 'complete', answer: 'fine' })
  },
)

test.each([...silences, 'half a reply, then pings', '429, Retry-After 60', 'connection refused'])(
  '25 %s: cancelled within a second',
  async (name) => {
    const refused = name === 'connection refused'
    const answer = name.startsWith('half')
      ? halfThenPings
      : name.startsWith('429')
        ? answers(429, '{}', { 'retry-after': '60' })
        : refused
          ? says('')
          : named(name)
    const server = await faultServer(answer)
    const limits = { ...defaultLimits, first_delay_ms: 30_000 }
    const bench = new Workbench({ model: open(refused ? 'http://127.0.0.1:1/v1' : server.url, limits) })
    const turn = await bench.start('go')
    if (refused || name.startsWith('429')) await bench.until(({ event }) => event.type === 'model.retrying')
    else await server.received(1)
    await sleep(20)
    const began = performance.now()
    await bench.must({ type: 'interrupt', chat_id: bench.chat })
    await bench.engine.whenIdle(bench.chat)
    expect(performance.now() - began).toBeLessThan(1_000)
    expect((await bench.engine.turn(turn)).outcome).toBe('cancelled')
  },
)

const storms: { storm: string; refusal: Answer }[] = [undefined, '0', '0.05', 'soon'].flatMap((after) =>
  [429, 503].map((status) => ({
    storm: `${status}, Retry-After ${after ?? 'absent'}`,
    refusal: answers(
      status,
      '{"error":{"message":"busy"}}',
      after === undefined ? {} : { 'retry-after': after },
    ),
  })),
)

test.each(storms)(
  '26 24 agents × $storm: all get through with at most 3 times the requests needed',
  async ({ refusal }) => {
    let [taken, slot] = [0, 0]
    const server = await faultServer((response, request) => {
      const now = Math.floor(Date.now() / 50)
      if (now !== slot) [slot, taken] = [now, 0]
      return (++taken > 4 ? refusal : says('yes'))(response, request)
    })
    const limits = {
      first_delay_ms: 25,
      longest_delay_ms: 500,
      breaker_ms: 50,
      budget_per_second: 20,
      attempts: 8,
    }
    const agents = Array.from({ length: 24 }, async () => {
      const parts: ModelPart[] = []
      const request = { system: '', messages: [{ role: 'user' as const, text: 'hi' }], tools: [] }
      for await (const part of open(server.url, limits).stream(request, new AbortController().signal))
        parts.push(part)
      return parts.at(-1)
    })
    expect(await Promise.all(agents)).toEqual(
      Array.from({ length: 24 }, () => ({ type: 'text', text: 'yes' })),
    )
    expect(server.requests.length).toBeLessThanOrEqual(3 * 24)
  },
)

test('26 24 agents × Retry-After 3600: each fails at once and says when to come back', async () => {
  const server = await faultServer(answers(429, '{}', { 'retry-after': '3600' }))
  const turns = await Promise.all(
    Array.from({ length: 24 }, () => new Workbench({ model: open(server.url, {}) }).run('go')),
  )
  for (const { failure } of turns)
    expect(failure?.hint).toMatch(/60 minutes: send the message again after 20/)
  expect(server.requests.length).toBeLessThanOrEqual(24)
})

test('27 a context that never fits ends after two futile summaries with a clear error', async () => {
  const body = JSON.stringify({ error: { message: "This model's maximum context length is 4096 tokens." } })
  let turns = 0
  const server = await faultServer((response, request) => {
    const isSummary = !request.body.includes('"tools":[')
    if (!isSummary) turns++
    return (isSummary ? says('short') : answers(400, body))(response, request)
  })
  const bench = new Workbench({ model: open(server.url, {}) })
  const turn = await bench.run('go')
  expect(turn.outcome).toBe('failed')
  expect(turn.failure).toMatchObject({
    kind: 'context',
    message: expect.stringContaining('summarised 2 times'),
  })
  expect(turns).toBe(3)
})

test(
  '28 50 MB of arguments are not kept, the model is told, and the turn goes on',
  { timeout: 60_000 },
  async () => {
    const piece = event(delta({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(1_000_000) } }] }))
    const start = {
      index: 0,
      id: 'c',
      function: { name: 'create_file', arguments: '{"path":"big.txt","content":"' },
    }
    const huge: Answer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event(delta({ tool_calls: [start] })))
      for (let megabyte = 0; megabyte < 50; megabyte++) {
        if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve))
      }
      response.end(event(delta({ tool_calls: [{ index: 0, function: { arguments: '"}' } }] }, 'tool_calls')))
    }
    const server = await faultServer(
      huge,
      calls('create_file', { path: 'small.txt', content: 'x' }),
      says('done'),
    )
    const bench = new Workbench({ model: open(server.url, {}) })
    expect((await bench.run('go')).outcome).toBe('complete')
    const second = JSON.parse(server.requests[1]?.body ?? '') as {
      messages: { role: string; content: string }[]
    }
    expect(second.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(/50000031 characters long, and at most 1000000 can be taken/),
    })
    expect(server.requests[1]?.body.length).toBeLessThan(50_000)
    expect(existsSync(join(bench.folder, 'big.txt'))).toBe(false)
    expect(existsSync(join(bench.folder, 'small.txt'))).toBe(true)
  },
)

test(
  '28 endless text ends at the cap, is not asked for again, and the next turn works',
  { timeout: 60_000 },
  async () => {
    let sent = 0
    const chunk = event(delta({ content: 'x'.repeat(100_000) }))
    const endless: Answer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      while (!response.destroyed) {
        sent += 100_000
        if (!response.write(chunk))
          await Promise.race([sleep(50), new Promise((go) => response.once('drain', go))])
      }
    }
    const server = await faultServer(endless, says('fine'))
    const bench = new Workbench({ model: open(server.url, {}) })
    const turn = await bench.run('go')
    expect(turn.failure?.message).toContain('more than 4000000 characters of text')
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    expect((await bench.run('again')).outcome).toBe('complete')
  },
)

test('28 repeated call ids, within a reply and from reply to reply, name one call each', async () => {
  const call = (command: string, index: number) => ({
    index,
    id: 'same',
    function: { name: 'shell', arguments: JSON.stringify({ command }) },
  })
  const two = streams(delta({ tool_calls: [call('echo 1', 0), call('echo 2', 1)] }), delta({}, 'tool_calls'))
  const one = streams(delta({ tool_calls: [call('echo 3', 0)] }), delta({}, 'tool_calls'))
  const server = await faultServer(two, one, says('done'))
  const bench = new Workbench({ model: open(server.url, {}) })
  expect((await bench.run('go')).outcome).toBe('complete')
  const { messages } = JSON.parse(server.requests[2]?.body ?? '') as { messages: { tool_call_id?: string }[] }
  const ids = messages.flatMap(({ tool_call_id }) => tool_call_id ?? [])
  expect(new Set(ids).size).toBe(3)
})

test('28 slips in arguments are repaired; half a value is only good for looking', async () => {
  const raw = (name: string, text: string) =>
    streams(
      delta({ tool_calls: [{ index: 0, id: 'c', function: { name, arguments: text } }] }),
      delta({}, 'tool_calls'),
    )
  const server = await faultServer(
    raw('create_file', '```json\n{"path":"a.txt","content":"one\ntwo",}\n```'),
    raw('read_file', '{"path":"a.txt'),
    raw('create_file', '{"path":"b.txt","content":"hal'),
    says('done'),
  )
  const bench = new Workbench({ model: open(server.url, {}) })
  await bench.run('go')
  const results = bench.turnEvents().flatMap((each) => (each.type === 'tool.finished' ? [each] : []))
  expect(results.map(({ success }) => success)).toEqual([true, true, false])
  expect(results[1]?.output).toContain('two')
  expect(results[2]?.output).toContain('not JSON')
  expect(existsSync(join(bench.folder, 'b.txt'))).toBe(false)
})
