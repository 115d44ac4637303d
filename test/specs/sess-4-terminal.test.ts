import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'
import { team } from '../support/team-config.ts'

const launch = { task: 'Fix the login test', context: 'It fails one time in ten', agents: ['bob'] }

function interactive(): TerminalSession {
  const program = team(
    new Program(),
    {
      ada: [{ calls: [{ name: 'launch_run', input: launch }] }, { text: 'The run is over.' }],
      bob: [
        { calls: [{ name: 'new_answer', input: { answer: 'Waited for the token.' } }] },
        { text: 'Presented.' },
      ],
    },
    'orchestrator: { interactive_mode: { enabled: true } }\n',
  )
  return new TerminalSession(program, [])
}

test('SESS-4.1 a modal shows task, context and agents of the run, with Approve, Edit and Cancel', async () => {
  const terminal = interactive()
  await terminal.waitFor('[ ⌂ interactive ]')
  terminal.type('fix it\r')
  const screen = await terminal.waitFor('Launch a run?')
  for (const text of [
    'Fix the login test',
    'It fails one time in ten',
    'bob',
    '[ Approve ]',
    '[ Edit ]',
    '[ Cancel ]',
  ])
    expect(screen).toContain(text)
  await terminal.click('[ Cancel ]')
  await terminal.waitFor('The run is over.')
})

test('SESS-4.2 after Approve the run proceeds as shown; Edit launches what the person made of it', async () => {
  const approved = interactive()
  await approved.waitFor('[ ⌂ interactive ]')
  approved.type('fix it\r')
  await approved.waitFor('[ Approve ]')
  await approved.clickUntil('[ Approve ]', (screen) => !screen.includes('[ Approve ]'))
  expect(await approved.waitFor('The run is over.')).not.toContain('Launch a run?')

  const edited = interactive()
  await edited.waitFor('[ ⌂ interactive ]')
  edited.type('fix it\r')
  await edited.click('[ Edit ]')
  await edited.waitFor('Enter launches')
  edited.type(' and the logout test')
  await edited.waitFor('Fix the login test and the logout test')
  await edited.press('enter')
  await edited.waitFor('The run is over.')
})

test('SESS-4.3 after Cancel no run is executed and the interactive agent is told so', async () => {
  const terminal = interactive()
  await terminal.waitFor('[ ⌂ interactive ]')
  terminal.type('fix it\r')
  await terminal.click('[ Cancel ]')
  await terminal.waitFor('The run is over.')
  await terminal.press('ctrl+o')
  expect(await terminal.waitFor(/cancel/i)).not.toContain('Waited for the token.')
})
