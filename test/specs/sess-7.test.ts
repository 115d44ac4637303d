import { expect, test } from 'vitest'
import { SessionBench, launches, resultOf } from '../support/session-bench.ts'
import { answers, votesFor } from '../support/team-bench.ts'

const agents = () => ({
  a: [answers('apple'), votesFor('banana')],
  b: [answers('banana'), votesFor('banana'), { text: 'Banana it is.' }],
})
const done = { text: 'Done.' }

test('SESS-7.1 the context goes into the first message of every agent, below the task; without one there is none', async () => {
  const talks = [
    launches({ task: 'which fruit?', context: 'No apples.' }),
    launches({ task: 'and now?' }),
    done,
  ]
  const bench = new SessionBench({ talks, agents: agents(), require_approval: false })
  await bench.say('go')
  for (const agent of ['a', 'b']) {
    const first = bench.requests(agent).map(({ messages }) => messages[0])
    expect(first[0]).toEqual({ role: 'user', text: 'which fruit?\n\nContext:\nNo apples.' })
    expect(first).toContainEqual({ role: 'user', text: 'and now?' })
  }
})

test('SESS-7.2 the agent receives the final answer, the workspace and who voted for whom in how many rounds', async () => {
  const talks = [launches({ task: 'which fruit?' }), done]
  const bench = new SessionBench({ talks, agents: agents(), require_approval: false })
  const turn = await bench.say('go')
  const result = resultOf(turn)
  expect(result).toMatchObject({
    final_answer: 'Banana it is.',
    workspace_path: bench.folder,
    coordination_summary: {
      agents: ['a', 'b'],
      winner: 'b',
      presenter: 'b',
      overridden: false,
      rounds: 1,
      strategy: 'winner_present',
    },
  })
  const { votes } = result['coordination_summary'] as { votes: { voter: string; for: string }[] }
  expect(votes.length).toBeGreaterThan(0)
  for (const vote of votes) expect(vote).toMatchObject({ for: 'b', reason: 'it is the best' })
})
