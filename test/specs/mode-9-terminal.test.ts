import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'
import { team } from '../support/team-config.ts'
import { teamMember } from '../support/vote-scripts.ts'

/** Everybody answers, nobody votes: the agent listed first wins. */
const answers = (text: string) => [
  { calls: [{ name: 'new_answer', input: { answer: text } }] },
  { text: 'I do not vote.' },
]

async function afterTheVote(): Promise<TerminalSession> {
  const program = team(new Program(), { ada: answers('Use a queue.'), bob: answers('Use a lock.') })
  const terminal = new TerminalSession(program, ['--no-refine'])
  await terminal.waitFor('[ Multi ]')
  terminal.type('fix it\r')
  await terminal.waitFor('1 waiting for you')
  return terminal
}

test('MODE-9.1 after the vote the terminal says how to override the winner and how to go on', async () => {
  const terminal = await afterTheVote()
  const screen = await terminal.waitFor('Press Ctrl+O to override, Enter to continue')
  expect(screen).toContain('Votes: ada 0 · bob 0')
  await terminal.press('enter')
  await terminal.waitFor('the vote stands')
})

test("MODE-9.2 Ctrl+O shows all agents' recent answers with previews", async () => {
  const terminal = await afterTheVote()
  await terminal.press('ctrl+o')
  const screen = await terminal.waitFor('Override the winner')
  for (const text of ['● ada agent1.1 (winner', 'Use a queue.', '○ bob agent2.1', 'Use a lock.']) {
    expect(screen).toContain(text)
  }
  await terminal.click('○ bob agent2.1')
  await terminal.waitFor('● bob')
  await terminal.click('[ Enter present ]')
  await terminal.waitFor('you chose bob to present')
})

test('MODE-9.3 the agent that is chosen instead presents, and its answer is the final one', async () => {
  const member = (name: string) => teamMember(`Answer of ${name}.`, { votes: 'Answer of ada.' })
  const program = team(new Program(), { ada: member('ada'), bob: member('bob'), cyd: member('cyd') })
  const terminal = new TerminalSession(program, ['--no-refine'])
  await terminal.waitFor('[ Multi ]')
  terminal.type('fix it\r')
  await terminal.waitFor('c Continue with ada')
  await terminal.press('ctrl+o')
  await terminal.waitFor('Override the winner')
  await terminal.press('down', 'down')
  await terminal.waitFor('● cyd')
  await terminal.press('enter')
  const screen = await terminal.waitFor('Presented: Answer of cyd.')
  expect(screen).toContain('you chose cyd to present')
  expect(screen).not.toContain('Presented: Answer of ada.')
})
