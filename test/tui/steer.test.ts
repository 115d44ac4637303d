import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { team } from '../support/team-config.ts'
import { TerminalSession } from '../support/terminal.ts'

test('words while an agent observes what its command does are told to it before it goes on', async () => {
  const program = new Program()
  const model = program.replies(
    { calls: [{ name: 'shell', input: { command: 'echo first; sleep 2; echo second' } }] },
    { text: 'finished' },
  )
  const terminal = new TerminalSession(program, ['--permission-mode', 'auto', model, 'begin'])
  await terminal.waitFor('● shell')
  terminal.type('use tabs\r')
  await terminal.waitFor('will be told at its next step')
  expect(await terminal.waitFor('finished')).toContain('You · told the agent')
})

test('an agent that asks for guidance is answered in words, or stopped', async () => {
  const again = { calls: [{ name: 'list_directory', input: { path: '.' } }] }
  for (const way of ['words', 'stop'] as const) {
    const program = new Program({ 'a.txt': 'a' })
    const model = program.replies(...Array.from({ length: 12 }, () => again), { text: 'finished' })
    const terminal = new TerminalSession(program, [model, 'look'])
    await terminal.waitFor('Guidance · major')
    expect(terminal.screen()).toContain('or type an answer')
    if (way === 'words') {
      terminal.type('read a.txt instead\r')
      // In the transcript, not in the input: the agent may ask again at once.
      await terminal.waitFor((screen) => /^(?!❯).*read a\.txt instead/m.test(screen))
    } else {
      // A card that has just appeared takes no click yet.
      for (let tries = 0; terminal.screen().includes('Stop here') && tries < 50; tries++) {
        await terminal.click('Stop here')
        await sleep(200)
      }
      await terminal.waitUntilGone('Esc interrupt')
    }
  }
})

test('words on the tab of one agent of a team reach that agent alone; without a tab they wait', async () => {
  const member = (name: string) => [
    { calls: [{ name: 'shell', input: { command: 'sleep 3' } }] },
    { calls: [{ name: 'new_answer', input: { answer: `Answer of ${name}.` } }] },
    { text: 'no vote' },
  ]
  const program = team(new Program(), { ada: member('ada'), bob: member('bob') })
  const terminal = new TerminalSession(program, ['--permission-mode', 'auto', 'begin'])
  await terminal.waitFor('2 agents working')
  terminal.type('everybody\r')
  await terminal.waitFor('this is sent when it is done')
  await terminal.click('2 bob')
  await terminal.waitFor('● shell')
  terminal.type('only for bob\r')
  await terminal.waitFor('only for bob')
  await terminal.waitFor('told')
  await terminal.click('1 ada')
  await terminal.waitFor(() => terminal.styleOf('1 ada').bold)
  expect(terminal.screen()).not.toContain('only for bob')
  await terminal.press('escape')
})
