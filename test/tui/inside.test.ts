import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { team } from '../support/team-config.ts'
import { TerminalSession } from '../support/terminal.ts'

test('what a running command prints is shown by its end while it runs', async () => {
  const program = new Program()
  const command = 'for n in 1 2 3 4 5 6 7; do echo printed $n; done; sleep 3'
  const model = program.replies({ calls: [{ name: 'shell', input: { command } }] }, { text: 'finished' })
  const terminal = new TerminalSession(program, ['--permission-mode', 'auto', model, 'begin'])
  const screen = await terminal.waitFor('    printed 7')
  expect(screen).toContain('running')
  expect(screen).not.toContain('    printed 3')
  await terminal.press('ctrl+o')
  await terminal.waitFor('    printed 1')
  await terminal.waitFor('finished')
})

test('the work of a sub-agent opens from its card and Esc leads back', async () => {
  const program = new Program({ 'a.txt': 'hidden words\n' })
  const model = program.replies(
    { calls: [{ name: 'explore', input: { question: 'What is in a.txt?' } }] },
    { text: 'It explored.' },
  )
  const terminal = new TerminalSession(program, [model, 'begin'])
  await terminal.waitFor('It explored.')
  await terminal.click('↳ open what the sub-agent does')
  const inside = await terminal.waitFor('‹ explore')
  expect(inside).toContain('What is in a.txt?')
  expect(inside).toContain('Esc goes back')
  expect(inside).not.toContain('begin\n')
  await terminal.press('escape')
  await terminal.waitUntilGone('‹ explore')
  expect(terminal.screen()).toContain('↳ open what the sub-agent does')
})

test('each task of a delegation opens from its line', async () => {
  const program = new Program()
  const subtasks = [
    { id: 'front', task: 'Do the front' },
    { id: 'back', task: 'Do the back' },
  ]
  const model = program.replies(
    { calls: [{ name: 'delegate', input: { subtasks } }] },
    { text: 'All delegated.' },
  )
  const terminal = new TerminalSession(program, ['--permission-mode', 'auto', model, 'begin'])
  await terminal.waitFor('All delegated.')
  await terminal.click('back Do the back')
  expect(await terminal.waitFor('‹ back')).toContain('Do the back')
  await terminal.click('‹ back')
  await terminal.waitUntilGone('‹ back')
})

test('a run that the interactive agent launched has a card, which leads to its team', async () => {
  const launch = { task: 'Fix the login test', agents: ['bob', 'cyd'] }
  const member = (answer: string) => [
    { calls: [{ name: 'new_answer', input: { answer } }] },
    { calls: [{ name: 'vote', input: { agent_id: '{{candidate:Wait}}', reason: 'safer' } }] },
    { text: 'Presented.' },
  ]
  const program = team(
    new Program(),
    {
      ada: [{ calls: [{ name: 'launch_run', input: launch }] }, { text: 'The run is over.' }],
      bob: member('Wait for the token.'),
      cyd: member('Retry.'),
    },
    'orchestrator: { override: continue, interactive_mode: { enabled: true } }\n',
  )
  const terminal = new TerminalSession(program, [])
  await terminal.waitFor('[ ⌂ interactive ]')
  terminal.type('fix it\r')
  await terminal.clickUntil('[ Approve ]', (screen) => !screen.includes('[ Approve ]'))
  const screen = await terminal.waitFor('The run is over.')
  expect(screen).toContain('↳ team: bob, cyd · complete · winner bob')
  await terminal.click('[ open the team ]')
  const shown = await terminal.waitFor('[ Compare the answers ]')
  expect(shown).toContain('Fix the login test')
  expect(shown).toMatch(/bob ★ +(voted|answered) +agent1\.1/)
})
