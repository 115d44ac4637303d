import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atHome, expectFrames, sizes } from '../support/golden.ts'
import { planFor, proposes } from '../support/plans.ts'
import { Program } from '../support/program.ts'
import { team } from '../support/team-config.ts'
import { TerminalSession } from '../support/terminal.ts'
import { teamMember } from '../support/vote-scripts.ts'

const start = (program: Program, args: string[]) =>
  new TerminalSession(program, args, { env: atHome(program), cols: 120, rows: 32 })

/** Bob is slower, so that everything comes in the same order each time. */
const slower = <T extends object>(replies: T[]): (T & { delay_ms: number })[] =>
  replies.map((reply) => ({ ...reply, delay_ms: 1200 }))

test('the empty chat, help, and what there is to pick', async () => {
  const program = team(new Program({ 'a.txt': 'a\n' }), { ada: [{ text: 'hello' }], bob: [{ text: 'hi' }] })
  const terminal = start(program, [])
  await terminal.waitFor('A team of 2: ada, bob')
  await expectFrames(terminal, 'welcome', [[40, 12], ...sizes])
  terminal.type('?')
  await terminal.waitFor('╭─ Help')
  await expectFrames(terminal, 'help')
  await terminal.escapeFrom('╭─ Help')
  terminal.type('/agents\r')
  await terminal.waitFor('╭─ Agents')
  await expectFrames(terminal, 'agents')
  await terminal.escapeFrom('╭─ Agents')
  terminal.type('/cost\r')
  await terminal.waitFor('╭─ Cost')
  await expectFrames(terminal, 'cost')
  expect(terminal.screen()).toContain('last request: none yet')
})

test('one agent at work: calls, a diff, a plan of tool results, then what it wrote', async () => {
  const program = new Program({ 'a.txt': 'one\ntwo\nthree\n' })
  const edits = [{ old_text: 'two', new_text: 'TWO' }]
  const model = program.replies(
    { text: 'I look at the file first.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] },
    { calls: [{ name: 'update_file', input: { path: 'a.txt', edits } }] },
    { text: '## Done\n\nThe file says `TWO` now:\n\n```ts\nconst two = "TWO" // changed\n```' },
  )
  const terminal = start(program, ['--permission-mode', 'auto-edit', model, 'change it'])
  await terminal.waitFor((screen) => screen.includes('Files written') && !screen.includes('Esc interrupt'))
  await expectFrames(terminal, 'chat', [[40, 12], ...sizes])
  await terminal.press('ctrl+o')
  await terminal.waitFor('▾')
  await expectFrames(terminal, 'chat-expanded')
  terminal.type('/diff\r')
  await terminal.waitFor('╭─ Changes')
  await expectFrames(terminal, 'diff')
  await terminal.escapeFrom('╭─ Changes')
  terminal.type('/resume\r')
  await terminal.waitFor('╭─ Chats')
  await expectFrames(terminal, 'chats')
  expect(terminal.screen()).toContain('change it')
})

test('pictures: below the message they went with, and as tokens in the input', async () => {
  const program = new Program()
  const picture = Buffer.from('89504e470d0a1a0a', 'hex')
  writeFileSync(
    join(program.folder, 'Screenshot from Monday.png'),
    Buffer.concat([picture, Buffer.alloc(2_992)]),
  )
  const path = `'${program.folder}/Screenshot from Monday.png'`
  const terminal = start(program, [program.replies({ text: 'It looks empty.' })])
  await terminal.waitFor('agent answers')
  terminal.paste(path)
  terminal.type('what do you see?\r')
  await terminal.waitFor((screen) => screen.includes('It looks empty.') && !screen.includes('Esc interrupt'))
  terminal.type('and in this one:')
  terminal.paste(path)
  await terminal.waitFor('[Picture 2')
  await expectFrames(terminal, 'pictures', [[40, 12], ...sizes])
  expect(terminal.screen()).toContain('▣ Screenshot from Monday.png · PNG · 3.0 kB')
})

test('what waits for a person: an approval, a question, the switch to Plan mode', async () => {
  const program = new Program()
  const question = {
    type: 'question',
    question: 'Should I also update the tests?',
    context: 'They use the old API.',
    severity: 'minor',
    options: ['Yes', 'No'],
    default: 'No',
  }
  const model = program.replies(
    { calls: [{ name: 'shell', input: { command: 'rm -r build/cache && npm run build' } }] },
    { text: JSON.stringify(question) },
    { text: 'slow', delay_ms: 60_000 },
  )
  const terminal = start(program, [model, 'clean up'])
  await terminal.waitFor('wants to use shell')
  await expectFrames(terminal, 'approval', [[40, 12], ...sizes])
  terminal.type('n')
  await terminal.waitFor('Question · minor')
  await expectFrames(terminal, 'question', [[40, 12], ...sizes])
  expect(terminal.screen()).not.toContain('"question"')
  await terminal.press('enter')
  await terminal.waitUntilGone('Question · minor')
  await terminal.waitFor('Esc interrupt')
  await terminal.press('shift+tab')
  await terminal.waitFor('Stop the work and switch to Plan mode?')
  await expectFrames(terminal, 'confirm')
})

test('a plan to approve, commented', async () => {
  const program = new Program({ 'a.txt': 'a\n' })
  const terminal = start(program, [
    '--plan',
    program.replies(proposes(planFor('Tidy up', 'a.txt', 'b.txt', 'c.txt'))),
    'tidy up',
  ])
  await terminal.waitFor('[ Execute plan ]')
  await terminal.press('down')
  terminal.type('c')
  terminal.type('keep the signature')
  await terminal.press('enter')
  await terminal.waitFor('comment: keep the signature')
  await expectFrames(terminal, 'plan', [[40, 12], ...sizes])
  await terminal.press('escape')
  await terminal.waitFor('A plan waits for you')
  await expectFrames(terminal, 'plan-kept')
  expect(terminal.screen()).toContain('[ Review the plan ]')
})

test('a team at work, its vote, the override and two candidates side by side', async () => {
  const change = (name: string) => ({
    calls: [
      {
        name: 'update_file',
        input: { path: 'a.txt', edits: [{ old_text: 'two', new_text: `TWO by ${name}` }] },
      },
    ],
  })
  const member = (name: string) => [
    change(name),
    ...teamMember(`I am ${name} and wrote TWO.`, { votes: 'I am bob', reason: `${name} thinks it is clear` }),
  ]
  const program = team(
    new Program({ 'a.txt': 'one\ntwo\nthree\n' }),
    { ada: member('ada'), bob: slower(member('bob')) },
    'orchestrator: { evidence: [{ name: tests, command: "grep -q bob a.txt" }] }\n',
  )
  const terminal = start(program, ['--permission-mode', 'auto', '--no-refine'])
  await terminal.waitFor('A team of 2')
  terminal.type('write TWO\r')
  await terminal.waitFor('c Continue with bob')
  await expectFrames(terminal, 'vote', [[40, 12], ...sizes])
  await terminal.press('ctrl+o')
  await terminal.waitFor('Override the winner')
  await expectFrames(terminal, 'override')
  terminal.type('d')
  await terminal.waitFor('Side by side')
  await expectFrames(terminal, 'compare')
  await terminal.escapeFrom('Side by side')
  await terminal.escapeFrom('Override the winner')
  await terminal.press('tab')
  await terminal.waitFor(() => terminal.styleOf('1 ada').bold)
  await expectFrames(terminal, 'agent-tab')
  await terminal.press('tab', 'tab')
  await terminal.waitFor('[ Compare the answers ]')
  await expectFrames(terminal, 'team-tab', [[40, 12], ...sizes])
  expect(terminal.screen()).toContain('bob thinks it is clear')
})

test('a team at work', async () => {
  const member = (name: string) => [
    { calls: [{ name: 'shell', input: { command: `touch seen; echo ${name} looks; sleep 60` } }] },
    { text: 'never' },
  ]
  const program = team(new Program(), { ada: member('ada'), bob: member('bob'), cyd: member('cyd') })
  const terminal = start(program, ['--permission-mode', 'auto', 'look around'])
  await terminal.waitFor(/ada +acting +shell[^]*bob +acting +shell[^]*cyd +acting +shell/)
  await expectFrames(terminal, 'team-at-work', [[40, 12], ...sizes])
  await terminal.click('2 bob')
  await terminal.waitFor('    bob looks')
  await expectFrames(terminal, 'agent-at-work')
  expect(terminal.screen()).toContain('● shell')
})

test('a run to approve', async () => {
  const launch = { task: 'Fix the login test', context: 'It fails one time in ten', agents: ['bob'] }
  const program = team(
    new Program(),
    {
      ada: [{ calls: [{ name: 'launch_run', input: launch }] }, { text: 'Cancelled.' }],
      bob: [{ text: 'x' }],
    },
    'orchestrator: { interactive_mode: { enabled: true } }\n',
  )
  const terminal = start(program, ['fix it'])
  await terminal.waitFor('Launch a run?')
  await expectFrames(terminal, 'launch')
  terminal.type('e')
  await terminal.waitFor('Enter launches')
  await expectFrames(terminal, 'launch-edit')
  expect(terminal.screen()).toContain('Fix the login test')
})
