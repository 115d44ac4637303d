import { expect, test } from 'vitest'
import { emptyChatView, foldAll } from '../../src/view/chat-view.ts'
import { initialModeState, modeState } from '../../src/view/mode-bar.ts'
import { SessionBench, launches } from '../support/session-bench.ts'
import { answers } from '../support/team-bench.ts'

const context = { agents: ['a'], interactive: true }

test('SESS-6.1 the mode state has the fields of the interactive session, empty at first', () => {
  expect(initialModeState).toMatchObject({
    interactive_mode: false,
    interactive_session: null,
    current_run_id: null,
    pending_run_approval: false,
  })
})

test('SESS-6.1 they follow the session: a run that waits for approval, that works, that is over', async () => {
  const bench = new SessionBench({
    talks: [launches({ task: 'x', agent_mode: 'single' }), { text: 'Done.' }],
    agents: { a: [{ delay_ms: 100, ...answers('x') }] },
  })
  const state = () => modeState(foldAll(emptyChatView, bench.envelopes), context)
  await bench.send('go')
  const { pending } = await bench.pending('run_approval')
  expect(state()).toMatchObject({
    interactive_mode: true,
    interactive_session: bench.chat,
    current_run_id: null,
    pending_run_approval: true,
  })
  await bench.answer(pending, { kind: 'run_approval', decision: 'approve' })
  const { stream } = await bench.until(({ event }) => event.type === 'agent.started')
  expect(state()).toMatchObject({ current_run_id: stream, pending_run_approval: false })
  await bench.until(({ event }) => event.type === 'turn.closed')
  expect(state()).toMatchObject({ current_run_id: null, pending_run_approval: false, locked: false })
})

test('SESS-6.1 a run in the background locks nothing', async () => {
  const bench = new SessionBench({
    talks: [launches({ task: 'x', agent_mode: 'single' }), { text: 'It works.' }],
    agents: { a: [{ delay_ms: 200, ...answers('x') }] },
  })
  await bench.say('go', { answer: { kind: 'run_approval', decision: 'approve', background: true } })
  const { stream } = await bench.until(({ event }) => event.type === 'agent.started')
  const view = foldAll(emptyChatView, bench.envelopes)
  expect(modeState(view, context)).toMatchObject({ locked: false, current_run_id: stream })
  expect(view.under_way).toBeNull()
})
