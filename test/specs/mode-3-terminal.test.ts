import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { create, planFor, proposes } from '../support/plans.ts'
import { Program } from '../support/program.ts'
import { team } from '../support/team-config.ts'
import { TerminalSession } from '../support/terminal.ts'

test('MODE-3.1 Shift+Tab activates plan mode, and the mode bar shows it', async () => {
  const program = new Program()
  const terminal = new TerminalSession(program, [program.replies({ text: 'hello' })])
  await terminal.waitFor('[ Act ]')
  const act = terminal.styleOf('[ Act ]').color
  await terminal.press('shift+tab')
  await terminal.waitFor('[ Plan ]')
  expect(terminal.styleOf('[ Plan ]').color).not.toBe(act)
  await terminal.press('shift+tab')
  await terminal.waitFor('[ Act ]')
})

test('MODE-3.2 a query in plan mode ends in a modal that shows the plan; nothing was changed', async () => {
  const program = new Program({ 'a.txt': 'a\n' })
  const model = program.replies(proposes(planFor('Tidy up', 'a.txt', 'b.txt')))
  const terminal = new TerminalSession(program, ['--plan', model])
  await terminal.waitFor('[ Plan ]')
  terminal.type('tidy up\r')
  const screen = await terminal.waitFor('[ Execute plan ]')
  for (const text of [
    'Plan r1 · Tidy up',
    '1 ✓ Change a.txt',
    'why: a.txt needs it',
    '2 ✓ Change b.txt',
    'Risks:',
  ])
    expect(screen).toContain(text)
  for (const text of [
    'Additional instructions',
    '[ Revise with comments ]',
    '[ Keep planning ]',
    '[ Reject ]',
  ])
    expect(screen).toContain(text)
  expect(existsSync(join(program.folder, 'b.txt'))).toBe(false)
  await terminal.click('[ Keep planning ]')
  await terminal.waitFor('A plan waits for you')
})

test('MODE-3.4 while an approved plan is executed its directory and "Executing Plan" are shown', async () => {
  const program = new Program({ 'a.txt': 'a\n' })
  const model = program.replies(
    proposes(planFor('Make it', 'b.txt', 'c.txt')),
    { calls: [create('b.txt')] },
    { text: 'slow', delay_ms: 60_000 },
  )
  for (const cols of [80, 120]) {
    const terminal = new TerminalSession(program, ['--plan', '--permission-mode', 'auto', model], {
      cols,
      rows: 30,
    })
    await terminal.waitFor('[ Plan ]')
    terminal.type('make it\r')
    await terminal.click('[ Execute plan ]')
    await terminal.waitFor(/"Executing Plan" · \.conclave\/plans\/\S+ · step \d of 2 · 00:0\d/)
    expect(terminal.screen()).toContain('[ Executing Plan ]')
    await terminal.press('escape')
    await terminal.waitUntilGone('"Executing Plan"')
  }
})

test('MODE-3.2 a planning run of a team ends in the same modal, and changes nothing', async () => {
  const plan = (goal: string) => JSON.stringify(planFor(goal, 'b.txt'))
  const member = (goal: string) => [
    { calls: [create('b.txt')] },
    { calls: [{ name: 'new_answer', input: { answer: plan(goal) } }] },
    { calls: [{ name: 'vote', input: { agent_id: '{{candidate:Sweep}}', reason: 'thorough' } }] },
    proposes(planFor(goal, 'b.txt')),
  ]
  const program = team(new Program({ 'a.txt': 'a\n' }), { ada: member('Tidy'), bob: member('Sweep') })
  const terminal = new TerminalSession(program, ['--plan', '--permission-mode', 'auto'])
  await terminal.waitFor('[ Plan ] [ Multi ]')
  terminal.type('tidy up\r')
  const vote = await terminal.waitFor('c Continue with bob')
  expect(vote).toContain('Plan: Sweep (1 step)')
  expect(vote).not.toContain('step_number')
  await terminal.press('enter')
  const screen = await terminal.waitFor('[ Execute plan ]')
  expect(screen).toContain('Plan r1 · Sweep')
  expect(existsSync(join(program.folder, 'b.txt'))).toBe(false)
  await terminal.press('escape')
  expect(await terminal.waitFor('[ Review the plan ]')).not.toContain('step_number')
})
