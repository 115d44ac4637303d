import { expect, test } from 'vitest'
import { findMode } from './session-mode.ts'

const agents = {
  claude: ['default', 'acceptEdits', 'plan', 'bypassPermissions'],
  codex: ['read-only', 'auto', 'full-access'],
  qwen: ['plan', 'default', 'auto-edit', 'auto', 'yolo'],
  opencode: ['build', 'plan'],
}

test.each([
  ['claude', 'default', 'Plan', 'plan'],
  ['claude', 'bypassPermissions', 'Act', 'default'],
  ['codex', 'auto', 'Plan', 'read-only'],
  ['codex', 'auto', 'Act', undefined],
  ['codex', 'read-only', 'Act', 'auto'],
  ['codex', 'full-access', 'Act', 'auto'],
  ['qwen', 'auto', 'Act', 'default'],
  ['opencode', 'plan', 'Act', 'build'],
] as const)('%s in its mode %s, in %s mode: %s', (agent, current, chatMode, wanted) => {
  expect(findMode({ current, ids: agents[agent] }, chatMode)).toBe(wanted)
})

test('an agent without such modes is left alone', () => {
  expect(findMode({ current: 'fast', ids: ['fast', 'slow'] }, 'Plan')).toBeUndefined()
  expect(findMode({ current: 'fast', ids: ['fast', 'slow'] }, 'Act')).toBeUndefined()
})
