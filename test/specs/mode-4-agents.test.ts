import { expect, test } from 'vitest'
import { TeamBench, answers } from '../support/team-bench.ts'

const settings = { permission: 'auto', max_iterations: 5, reflect: 'never' } as const

test('MODE-4.3 the agent that a person switches to has the whole conversation', async () => {
  const bench = new TeamBench({
    agents: { a: [{ text: 'Your name is Ada.' }], b: [{ text: 'no' }, { text: 'You said: Ada.' }] },
  })
  const { chat, folder } = bench
  await bench.must({ type: 'create_chat', chat_id: chat, folder, title: 'names' })
  await bench.must({ type: 'set_team', chat_id: chat, team_mode: 'single', active_agent: 'a' })
  await bench.must({ type: 'send_message', chat_id: chat, text: 'I am Ada.', agent_id: 'a', settings })
  await bench.engine.whenIdle(chat)
  await bench.must({ type: 'set_team', chat_id: chat, active_agent: 'b' })
  await bench.must({ type: 'send_message', chat_id: chat, text: 'Who am I?', agent_id: 'b', settings })
  const { config, messages } = await bench.engine.whenIdle(chat)

  expect(config).toMatchObject({ team_mode: 'single', active_agent: 'b' })
  const told = bench.requests['b']?.[0]?.messages ?? []
  expect(told.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(JSON.stringify(told)).toContain('I am Ada.')
  expect(JSON.stringify(told)).toContain('Your name is Ada.')
  expect(messages?.last).toMatchObject({ agent_id: 'b', text: 'You said: Ada.' })
})

test('a run and a turn after it are one conversation', async () => {
  const bench = new TeamBench({
    team: 'single',
    refinement: false,
    agents: { a: [answers('the run says blue')], b: [{ text: 'x' }, { text: 'It was blue.' }] },
    settings: { agents: [{ id: 'a', speaks: 'tools' }] },
  })
  await bench.run('which colour?')
  await bench.must({ type: 'send_message', chat_id: bench.chat, text: 'Again?', agent_id: 'b', settings })
  await bench.engine.whenIdle(bench.chat)
  expect(bench.told('b')).toContain('which colour?')
  expect(bench.told('b')).toContain('the run says blue')
})

test('the team cannot be changed while agents work', async () => {
  const bench = new TeamBench({
    agents: { a: [{ ...answers('slow'), delay_ms: 200 }], b: [answers('fast')] },
    settings: { override: 'continue' },
  })
  await bench.start('work')
  const change = { type: 'set_team', chat_id: bench.chat, refinement: false } as const
  expect(await bench.engine.execute(change)).toMatchObject({ accepted: false })
  await bench.must({ type: 'interrupt', chat_id: bench.chat })
  await bench.engine.whenIdle(bench.chat)
  await bench.must(change)
})
