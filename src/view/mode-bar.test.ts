import { expect, test } from 'vitest'
import type { Envelope } from '../schema/envelope.ts'
import type { SessionEvent } from '../schema/session-event.ts'
import { type ChatView, emptyChatView, foldAll } from './chat-view.ts'
import { initialModeState, modeState, modeToggles, tabCommand } from './mode-bar.ts'

const team = { agents: ['a', 'b'], interactive: false }

const chat = (...events: SessionEvent[]): ChatView =>
  foldAll(
    emptyChatView,
    [
      {
        type: 'chat.created',
        chat_id: 'chat_1',
        title: 't',
        folder: '/f',
        config: { agent_mode: 'Act' },
      } as const,
      ...events,
    ].map((event, index): Envelope => ({
      v: 1,
      stream: 'chat_1',
      seq: index + 1,
      at: '2026-01-01T00:00:00.000Z',
      event,
    })),
  )

const opened: SessionEvent = {
  type: 'turn.opened',
  turn_id: 'turn_1',
  agent_id: 'a',
  prompt: 'go',
  settings: { mode: 'Act', permission: 'ask', max_iterations: 1, reflect: 'never', tools: [] },
}

test('modes begin as normal, multi-agent and refining', () => {
  expect(initialModeState).toMatchObject({ plan_mode: 'normal', agent_mode: 'multi', refinement: true })
  expect(modeState(emptyChatView, team)).toEqual({ ...initialModeState, active_agent: 'a' })
})

test('one agent is no team, and does not refine unless told to', () => {
  expect(modeState(chat(), { agents: ['a'], interactive: false })).toMatchObject({
    agent_mode: 'single',
    refinement: false,
  })
})

test('toggles send what switches them, and a tab chooses the single agent', () => {
  const view = chat({
    type: 'chat_config.changed',
    config: { agent_mode: 'Plan', team_mode: 'single', active_agent: 'b' },
  })
  const state = modeState(view, team)
  expect(state).toMatchObject({ plan_mode: 'plan', agent_mode: 'single', active_agent: 'b', locked: false })
  expect(modeToggles(state, 'chat_1', team.agents)).toMatchObject([
    {
      id: 'plan',
      label: 'Plan',
      on: true,
      enabled: true,
      command: { type: 'set_agent_mode', agent_mode: 'Act' },
    },
    { id: 'team', label: 'Single', enabled: true, command: { type: 'set_team', team_mode: 'multi' } },
    { id: 'refinement', label: 'Refine off', enabled: true, command: { type: 'set_team', refinement: true } },
  ])
  expect(tabCommand(state, 'chat_1', 'a')).toEqual({ type: 'set_team', chat_id: 'chat_1', active_agent: 'a' })
  expect(tabCommand(state, 'chat_1', 'b')).toBeNull()
})

test('toggles are locked while agents work; going to Plan mode can be confirmed', () => {
  const view = chat(opened)
  const state = modeState(view, team)
  const toggles = modeToggles(state, 'chat_1', team.agents)
  expect(toggles.map(({ enabled, reason }) => [enabled, reason])).toEqual(
    toggles.map(() => [false, 'locked while agents work']),
  )
  expect(toggles[0]?.confirm?.command).toEqual({
    type: 'set_agent_mode',
    chat_id: 'chat_1',
    agent_mode: 'Plan',
    confirm: true,
  })
  const after = chat(opened, { type: 'turn.closed', turn_id: 'turn_1', outcome: 'complete' })
  expect(modeState(after, team).locked).toBe(false)
})

test('the interactive session is shown, and is its chat', () => {
  const state = modeState(chat(), { agents: ['a', 'b'], interactive: true })
  expect(state).toMatchObject({
    interactive_mode: true,
    interactive_session: 'chat_1',
    current_run_id: null,
    pending_run_approval: false,
  })
  expect(modeToggles(state, 'chat_1', team.agents).at(-1)).toMatchObject({ id: 'interactive', command: null })
})
