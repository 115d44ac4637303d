import { expect, test } from 'vitest'
import { emptyChatView } from '../../src/view/chat-view.ts'
import { modeState } from '../../src/view/mode-bar.ts'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'
import { team } from '../support/team-config.ts'

test('SESS-6.2 the mode bar shows that interactive mode is active, and only then', async () => {
  const agents = { ada: [{ text: 'hello' }], bob: [{ text: 'hi' }] }
  const plain = new TerminalSession(team(new Program(), agents), [])
  await plain.waitFor('[ Refine on ]')
  expect(plain.screen()).not.toContain('interactive')

  const program = team(new Program(), agents, 'orchestrator: { interactive_mode: { enabled: true } }\n')
  const terminal = new TerminalSession(program, [])
  await terminal.waitFor('[ ⌂ interactive ]')
  const rows = terminal.rows()
  const bar = rows.findIndex((row) => row.includes('⌂ interactive'))
  expect(rows[bar]).toContain('[ Act ]')
  expect(rows[bar + 1]).toContain('❯')
})

test('SESS-6.1 the mode state tracks the session, its run and the approval that waits', async () => {
  const launch = { task: 'Fix the login test', agents: ['bob'] }
  const program = team(
    new Program(),
    {
      ada: [{ calls: [{ name: 'launch_run', input: launch }] }, { text: 'The run is over.' }],
      bob: [
        { calls: [{ name: 'new_answer', input: { answer: 'Waited.' } }], delay_ms: 1500 },
        { text: 'Presented.' },
      ],
    },
    'orchestrator: { interactive_mode: { enabled: true } }\n',
  )
  expect(modeState(emptyChatView, { agents: ['ada', 'bob'], interactive: true })).toMatchObject({
    interactive_mode: true,
    interactive_session: null,
    current_run_id: null,
    pending_run_approval: false,
  })
  const terminal = new TerminalSession(program, [])
  await terminal.waitFor('[ ⌂ interactive ]')
  terminal.type('fix it\r')
  await terminal.waitFor('[ ⌂ interactive · asks to launch a run ]')
  await terminal.clickUntil('[ Approve ]', (screen) => !screen.includes('[ Approve ]'))
  await terminal.waitFor('[ ⌂ interactive · run ]')
  await terminal.waitFor(
    (screen) => screen.includes('The run is over.') && screen.includes('[ ⌂ interactive ]'),
  )
})
