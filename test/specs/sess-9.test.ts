import { expect, test } from 'vitest'
import { SessionBench, launches } from '../support/session-bench.ts'
import { answers } from '../support/team-bench.ts'

const agents = { a: [answers('tea '.repeat(10_000))] }
const single = (input: Record<string, unknown>) => launches({ agent_mode: 'single', ...input })

test('SESS-9.1 a simple question is answered by the agent itself: it is told to, and no run starts', async () => {
  const bench = new SessionBench({ talks: [{ text: 'Four.' }], agents })
  const turn = await bench.say('two and two?')
  expect(turn).toMatchObject({ answer: 'Four.', usage: { model_calls: 1 } })
  expect(bench.requests('conclave')[0]?.system).toMatch(/Answer directly: questions, explanations/)
  expect(await bench.runs()).toEqual([])
  expect(bench.envelopes.some(({ event }) => event.type === 'pending.opened')).toBe(false)
})

test('SESS-9.2 complex work is delegated with launch_run: it is told when, and can', async () => {
  const bench = new SessionBench({
    talks: [single({ task: 'Rewrite the parser.' }), { text: 'The team has rewritten it.' }],
    agents,
    require_approval: false,
  })
  const turn = await bench.say('rewrite the parser')
  const [request] = bench.requests('conclave')
  expect(request?.system).toMatch(/Use launch_run: work of many steps or files/)
  expect(request?.tools.map(({ name }) => name)).toContain('launch_run')
  expect((await bench.runs()).map(({ prompt }) => prompt)).toEqual(['Rewrite the parser.'])
  expect(turn.answer).toBe('The team has rewritten it.')
})

test('SESS-9.3 what is large goes on as a reference: neither the agent nor the next run is given all of it', async () => {
  const bench = new SessionBench({
    talks: [
      single({ task: 'List all teas.' }),
      single({ task: 'Sort them.', context: 'The list is in the log of the first run.' }),
      { text: 'Sorted.' },
    ],
    agents,
    require_approval: false,
  })
  await bench.say('list and sort teas')
  const [first, second] = await bench.runs()
  expect(first?.finished?.final_answer.length).toBeGreaterThan(39_000)
  const requests = bench.requests('conclave')
  expect(requests[0]?.system).toContain('pass on what it needs as summaries and references')
  expect(JSON.stringify(requests.at(-1)?.messages).length).toBeLessThan(16_000)
  expect(JSON.stringify(requests.at(-1)?.messages)).toContain(`${first?.log_directory}/final_answer.md`)
  expect(second?.prompt).toBe('Sort them.\n\nContext:\nThe list is in the log of the first run.')
  expect(JSON.stringify(bench.requests('a').at(-1)?.messages)).not.toContain('tea tea')
})
