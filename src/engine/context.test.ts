import { expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import type { Model, ModelPart, ModelRequest } from '../ports/model.ts'

const big = 'a line of some length, over and over again\n'.repeat(200)

/** Reads file after file, then answers. Summaries are asked for without tools. */
function reader(files: number, context_window: number): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  let calls = 0
  return {
    label: 'reader',
    context_window,
    requests,
    async *stream(request): AsyncGenerator<ModelPart> {
      requests.push(structuredClone(request))
      if (request.tools.length === 0) return yield { type: 'text', text: 'SUMMARY: files were read' }
      calls += 1
      if (calls > files) return yield { type: 'text', text: 'All read.' }
      yield { type: 'call', id: '1', name: 'read_file', arguments: JSON.stringify({ path: `f${calls}.txt` }) }
    },
  }
}

const folder = (files: number) =>
  Object.fromEntries(Array.from({ length: files }, (_, i) => [`f${i + 1}.txt`, `${i}\n${big}`]))
const types = (bench: Workbench) => bench.turnEvents().map(({ type }) => type)

test('old results are shortened before anything is dropped, and requests extend each other again afterwards', async () => {
  const model = reader(12, 20_000)
  const bench = new Workbench({ files: folder(12), model })
  const turn = await bench.run('read them all')

  expect(turn.answer).toBe('All read.')
  expect(types(bench)).toContain('context.trimmed')
  expect(types(bench)).not.toContain('context.compacted')
  const last = model.requests.at(-1)?.messages ?? []
  const results = last.filter((message) => message.role === 'tool')
  expect(results[0]?.output).toContain('characters left out')
  expect(results.at(-1)?.output).toContain('over and over again')
  expect(results.at(-1)?.output).not.toContain('characters left out')
  const rewrites = model.requests.filter((request, index) => {
    const before = model.requests[index - 1]?.messages ?? []
    return JSON.stringify(request.messages.slice(0, before.length)) !== JSON.stringify(before)
  })
  const trims = types(bench).filter((type) => type === 'context.trimmed').length
  expect(rewrites).toHaveLength(trims)
})

test('when that is not enough, what is old is summarised; the request stays word for word, and the log keeps all', async () => {
  const model = reader(60, 9_000)
  const bench = new Workbench({ files: folder(60), model })
  const turn = await bench.run('read them all, and mind the umlaut: ü', { max_iterations: 80 })

  expect(turn.answer).toBe('All read.')
  expect(types(bench)).toContain('context.compacted')
  const [first] = model.requests.at(-1)?.messages ?? []
  expect(first).toMatchObject({ role: 'user' })
  expect(first?.role === 'user' && first.text).toContain('mind the umlaut: ü')
  expect(first?.role === 'user' && first.text).toContain('SUMMARY: files were read')
  expect(turn.observations?.length).toBe(60)
  for (const { messages } of model.requests) {
    const asked = messages.flatMap((message) =>
      message.role === 'assistant' ? message.calls.map(({ id }) => id) : [],
    )
    const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.call_id] : []))
    expect(answered).toEqual(asked)
  }

  model.requests.length = 0
  await bench.run('and now?')
  expect(model.requests[0]?.messages[0]).toEqual(first)
})

test('a conversation that never fits ends after two summaries with a clear word', async () => {
  const model = reader(3, 600)
  const bench = new Workbench({ files: folder(3), model })
  const turn = await bench.run(`remember this: ${'x'.repeat(4_000)}`)

  expect(turn.outcome).toBe('failed')
  expect(turn.failure).toMatchObject({ kind: 'context', hint: expect.stringContaining('larger context') })
  expect(types(bench).filter((type) => type === 'compaction.requested')).toHaveLength(2)
  expect(model.requests.filter(({ tools }) => tools.length > 0)).toHaveLength(0)

  const next = await bench.engine.execute({
    type: 'send_message',
    chat_id: bench.chat,
    text: 'hello',
    agent_id: 'a',
    settings: { permission: 'auto', max_iterations: 2, reflect: 'never' },
  })
  expect(next.accepted).toBe(true)
})

test('a provider that finds the request too long is believed', async () => {
  let asked = 0
  const model: Model = {
    label: 'picky',
    async *stream({ tools }): AsyncGenerator<ModelPart> {
      if (tools.length === 0) return yield { type: 'text', text: 'short' }
      asked += 1
      if (asked === 1) return yield { type: 'failed', failure: { kind: 'context', message: 'too long' } }
      yield { type: 'text', text: 'now it fits' }
    },
  }
  const bench = new Workbench({ model })
  expect((await bench.run('hello')).answer).toBe('now it fits')
})

test('a budget is checked before a request is made', async () => {
  const model = reader(3, 100_000)
  const bench = new Workbench({ files: folder(3), model })
  const turn = await bench.run('read', { max_tokens: 100 })
  expect(turn.outcome).toBe('limit')
  expect(model.requests).toHaveLength(0)
})
