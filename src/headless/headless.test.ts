import { expect, test } from 'vitest'
import { Workbench, type WorkbenchOptions } from '../../test/support/workbench.ts'
import { openMemoryJournal } from '../adapters/journal/memory-journal.ts'
import { JournalError } from '../ports/journal.ts'
import { type HeadlessOptions, runHeadless } from './headless.ts'

async function setUp(options: WorkbenchOptions) {
  const bench = new Workbench(options)
  const subscription = bench.engine.subscribe()
  const { chat, folder } = bench
  await bench.must({ type: 'create_chat', chat_id: chat, folder, title: 'test' })
  const printed: string[] = []
  const run = (more: Partial<HeadlessOptions> = {}) =>
    runHeadless(bench.engine, {
      chat_id: chat,
      subscription,
      message: {
        text: 'go',
        agent_id: 'a',
        settings: { permission: 'ask', max_iterations: 15, reflect: 'never' },
      },
      format: 'text',
      on_pending: 'fail',
      verbose: false,
      out: (text) => void printed.push(text),
      signal: new AbortController().signal,
      ...more,
    })
  return { bench, printed, run }
}

test('prints the answer', async () => {
  const { printed, run } = await setUp({ replies: [{ text: 'Hello \u001b[31m' }] })
  const { result, unsent } = await run()
  expect({ status: result.status, unsent, printed }).toEqual({
    status: 'complete',
    unsent: false,
    printed: ['Hello ␛[31m\n'],
  })
})

test('stores the message of a person who stopped before the start, and stops', async () => {
  const { bench, run } = await setUp({ replies: [{ text: 'never', delay_ms: 600_000 }] })
  const { result } = await run({ signal: AbortSignal.abort() })
  expect(result.status).toBe('cancelled')
  expect(JSON.stringify(bench.envelopes)).toContain('"text":"go"')
})

test('waits for a reader that does not keep up', async () => {
  const { printed, run } = await setUp({ replies: [{ text: 'Hello.' }] })
  const slow = async (text: string) => {
    await new Promise((resolve) => setTimeout(resolve, 2))
    printed.push(text)
  }
  const { result } = await run({ out: slow, format: 'stream-json' })
  expect(JSON.parse(printed.at(-1) ?? '')).toEqual(result)
  expect(printed.length).toBeGreaterThan(5)
})

test('fails when the journal does, instead of waiting for ever', async () => {
  const memory = openMemoryJournal()
  let commits = 0
  const journal = {
    ...memory,
    append: async (...args: Parameters<typeof memory.append>) => {
      if (++commits > 3) throw new JournalError('full', 'no space is left', 'free some')
      return memory.append(...args)
    },
  }
  const { run } = await setUp({ journal, replies: [{ text: 'Hello.' }] })
  await expect(run()).rejects.toThrow('no space is left')
})

test('fails when its output does', async () => {
  const { run } = await setUp({ replies: [{ text: 'Hello.', delay_ms: 50 }] })
  const out = () => Promise.reject(new Error('nobody listens'))
  await expect(run({ out, format: 'stream-json' })).rejects.toThrow('nobody listens')
})
