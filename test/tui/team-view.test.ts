import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { team } from '../support/team-config.ts'
import { TerminalSession } from '../support/terminal.ts'
import { teamMember } from '../support/vote-scripts.ts'

const files = { 'a.txt': 'one\ntwo\nthree\n' }

/** Three agents that change the same file differently, with evidence on each. */
function program(): Program {
  const edits = (new_text: string) => ({
    calls: [{ name: 'update_file', input: { path: 'a.txt', edits: [{ old_text: 'two', new_text }] } }],
  })
  const member = (name: string, reason: string) => [
    edits(`TWO of ${name}`),
    ...teamMember(`Answer of ${name}.\n\n${'A long paragraph. '.repeat(60)}The last word of ${name}.`, {
      votes: 'Answer of bob.',
      reason,
    }),
  ]
  return team(
    new Program(files),
    {
      ada: member('ada', 'bob is shorter'),
      bob: member('bob', 'mine passes'),
      cyd: member('cyd', 'agreed with bob'),
    },
    'orchestrator: { evidence: [{ name: tests, command: "grep -q bob a.txt" }] }\n',
  )
}

async function afterTheVote(size: { cols: number; rows: number }): Promise<TerminalSession> {
  const terminal = new TerminalSession(program(), ['--permission-mode', 'auto'], size)
  await terminal.waitFor('[ Multi ]')
  terminal.type('change it\r')
  await terminal.waitFor('c Continue with bob')
  return terminal
}

test('d puts what two candidates change side by side, before anything is written', async () => {
  const terminal = await afterTheVote({ cols: 120, rows: 32 })
  await terminal.press('ctrl+o')
  await terminal.waitFor('● bob')
  await terminal.press('up')
  await terminal.waitFor('● ada')
  terminal.type('d')
  const screen = await terminal.waitFor('Side by side')
  expect(screen).toMatch(/bob agent2\.1 +│ ada agent1\.1/)
  expect(screen).toMatch(/a\.txt modified +│ a\.txt modified/)
  expect(screen).toMatch(/ one +│ {2}one/)
  expect(screen).toMatch(/-two +│ -two/)
  expect(screen).toMatch(/\+TWO of bob +│ \+TWO of ada/)
  await terminal.press('right')
  expect(await terminal.waitFor(/bob agent2\.1 +│ cyd agent3\.1/)).toMatch(/\+TWO of bob +│ \+TWO of cyd/)
  await terminal.click('bob agent2.1')
  await terminal.waitFor(/ada agent1\.1 +│ cyd agent3\.1/)
  await terminal.press('escape')
  await terminal.waitFor('Override the winner')
  await terminal.click('[ w whole answer ]')
  await terminal.waitFor('╭─ ada agent1.1')
  await terminal.waitFor('last word of ada')
  await terminal.escapeFrom('╭─ ada agent1.1')
  await terminal.click('[ Esc back ]')
  await terminal.waitFor('c Continue with bob')
})

test('the Team tab shows states, answers, evidence, cost and who voted for what and why, and scrolls', async () => {
  const terminal = await afterTheVote({ cols: 80, rows: 24 })
  await terminal.click('Team', -1)
  const screen = await terminal.waitFor('[ Compare the answers ]')
  expect(screen).toMatch(/agent +state +answer +evidence +diff +tokens +cost +votes/)
  expect(screen).toMatch(/ada +(voted|answered) +agent1\.1 +✖ tests +\+1 −1 +\d+ +\$0\.00 +–/)
  expect(screen).toMatch(/bob ★ +(voted|answered) +agent2\.1 +✔ tests +\+1 −1 +\d+ +\$0\.00 +●●/)
  expect(screen).not.toContain('agent2.1 wins')
  terminal.wheel(4)
  await terminal.waitFor(/(ada → agent2\.1 "bob is shorter"|cyd → agent2\.1 "agreed with bob")/)
  terminal.wheel(40)
  expect(await terminal.waitFor('agent2.1 wins')).toContain('answer agent')
  terminal.wheel(-60)
  // While it still scrolls, a click may miss.
  await terminal.clickUntil('[ Compare the answers ]', (shown) => shown.includes('Side by side'))
  await terminal.press('escape')
  await terminal.waitUntilGone('Side by side')
})

test('after the run the answers can still be compared', async () => {
  const terminal = await afterTheVote({ cols: 120, rows: 32 })
  await terminal.press('enter')
  await terminal.waitFor((screen) => screen.includes('Presented') && !screen.includes('Esc interrupt'))
  terminal.type('/compare agent1.1 agent3.1\r')
  expect(await terminal.waitFor('Side by side')).toMatch(/\+TWO of ada +│ \+TWO of cyd/)
  await terminal.escapeFrom('Side by side')
  terminal.type('/compare agent1.1 agent9.9\r')
  await terminal.waitFor('answers: agent1.1, agent2.1, agent3.1')
})
