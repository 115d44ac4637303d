import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { team } from '../support/team-config.ts'
import { TerminalSession } from '../support/terminal.ts'
import { teamMember } from '../support/vote-scripts.ts'
import { writeFiles } from '../support/workbench.ts'

/** Types a command, waits for its page, and closes it. */
async function page(terminal: TerminalSession, command: string, title: string): Promise<string> {
  terminal.type(`${command}\r`)
  const screen = await terminal.waitFor(`╭─ ${title}`)
  await terminal.escapeFrom(`╭─ ${title}`)
  return screen
}

test('/config, /mcp, /permissions, /mode, /cost and /context say what is so', async () => {
  const program = team(
    new Program(),
    { ada: [{ text: 'hello' }], bob: [{ text: 'hi' }] },
    'permissions: [{ tool: shell, resource: "git *", action: allow }]\n',
  )
  const terminal = new TerminalSession(program, ['--single'])
  await terminal.waitFor('ada answers')
  const config = await page(terminal, '/config', 'Config')
  expect(config).toContain('.config/conclave/config.yaml')
  expect(config).toContain('no problems')
  expect(config).toContain('id: ada')
  program.configure('agents: 7\n')
  expect(await page(terminal, '/config', 'Config')).toMatch(/1:9 \S/)
  expect(await page(terminal, '/mcp', 'MCP')).toContain('No MCP server is connected.')
  const permissions = await page(terminal, '/permissions', 'Permissions')
  expect(permissions).toContain('ask: files in the folder are read and edited')
  expect(permissions).toContain('rule: allow shell git *')
  expect(await page(terminal, '/mode', 'Modes')).toContain('One agent answers: ada.')
  expect(await page(terminal, '/cost', 'Cost')).toMatch(/all +\$0\.00/)
  expect(await page(terminal, '/context', 'Context')).toContain('No request was made yet.')
})

test('/agents and /model pick who answers; /plan and /act switch the mode', async () => {
  const program = team(new Program(), { ada: [{ text: 'I am Ada.' }], bob: [{ text: 'I am Bob.' }] })
  const terminal = new TerminalSession(program, ['--single'])
  await terminal.waitFor('ada answers')
  terminal.type('/agents\r')
  await terminal.waitFor('╭─ Agents')
  await terminal.click('bob', -1)
  await terminal.waitFor('bob answers')
  terminal.type('/model\r')
  await terminal.waitFor('● bob')
  terminal.type('ada')
  await terminal.press('enter')
  await terminal.waitFor('ada answers')
  terminal.type('/plan\r')
  await terminal.waitFor('[ Plan ]')
  terminal.type('/act\r')
  await terminal.waitFor('[ Act ]')
  terminal.type('/nonsense\r')
  expect(await terminal.waitFor('There is no /nonsense')).toContain('[ Act ]')
})

test('/diff shows what was changed, /undo takes it back, /export writes the chat, /compact and /fork work on it', async () => {
  const program = new Program({ 'a.txt': 'one\n' })
  const edits = [{ old_text: 'one', new_text: 'two' }]
  const model = program.replies(
    { calls: [{ name: 'update_file', input: { path: 'a.txt', edits } }] },
    { text: 'Changed it.' },
  )
  const terminal = new TerminalSession(program, ['--permission-mode', 'auto', model, 'change it'])
  await terminal.waitFor((screen) => screen.includes('Changed it.') && !screen.includes('Esc interrupt'))
  const diff = await page(terminal, '/diff', 'Changes')
  expect(diff).toContain('-one')
  expect(diff).toContain('+two')
  terminal.type('/export chat.md\r')
  await terminal.waitFor('written to')
  expect(readFileSync(join(program.folder, 'chat.md'), 'utf8')).toContain('Changed it.')
  terminal.type('/export chat.md\r')
  await terminal.waitFor('chat.md is there already: name another file')
  expect(readFileSync(join(program.folder, 'a.txt'), 'utf8')).toBe('two\n')
  expect(await page(terminal, '/undo', 'Undo')).toContain('a.txt')
  expect(readFileSync(join(program.folder, 'a.txt'), 'utf8')).toBe('one\n')
  terminal.type('/fork\r')
  await terminal.waitFor('This is a copy')
  terminal.type('/compact\r')
  await terminal.waitFor(/summar/)
})

test('in a team /model has one agent answer alone', async () => {
  const program = team(new Program(), { ada: [{ text: 'I am Ada.' }], bob: [{ text: 'I am Bob.' }] })
  const terminal = new TerminalSession(program, [])
  await terminal.waitFor('A team of 2')
  terminal.type('/model\r')
  await terminal.waitFor('╭─ Models · one answers alone')
  terminal.type('bob')
  await terminal.press('enter')
  await terminal.waitFor('bob answers')
  expect(terminal.screen()).toContain('[ Single ]')
})

test('/diff shows what a team brought into the folder', async () => {
  const edits = [{ old_text: 'one', new_text: 'two' }]
  const member = (answer: string) => [
    { calls: [{ name: 'update_file', input: { path: 'a.txt', edits } }] },
    ...teamMember(answer, { votes: 'Answer of ada.' }),
  ]
  const program = team(new Program({ 'a.txt': 'one\n' }), {
    ada: member('Answer of ada.'),
    bob: member('Answer of bob.'),
  })
  const terminal = new TerminalSession(program, ['--no-refine', '--permission-mode', 'auto', 'change it'])
  await terminal.waitFor('c Continue with ada')
  await terminal.press('enter')
  await terminal.waitFor((screen) => screen.includes('Files written') && !screen.includes('Esc interrupt'))
  const diff = await page(terminal, '/diff', 'Changes')
  expect(diff).toContain('ada agent1.1')
  expect(diff).toMatch(/-one\b[^]*\+two\b/)
  expect(diff).not.toContain('Nothing was changed')
})

test('/theme switches between dark and light and is remembered; colours stay away when they are not wanted', async () => {
  const program = new Program()
  const terminal = new TerminalSession(program, [program.replies({ text: 'hello' })])
  await terminal.waitFor('agent answers')
  const dark = terminal.styleOf('[ Act ]').color
  terminal.type('/theme pink\r')
  await terminal.waitFor('themes: light, dark, auto')
  expect(terminal.styleOf('[ Act ]').color).toBe(dark)
  terminal.type('/theme light\r')
  await terminal.waitFor(() => terminal.styleOf('[ Act ]').color !== dark)
  const light = terminal.styleOf('[ Act ]').color
  const later = new TerminalSession(program, [program.replies({ text: 'hello' })])
  await later.waitFor('agent answers')
  await later.waitFor(() => later.styleOf('[ Act ]').color === light)
  const plain = new TerminalSession(program, [program.replies({ text: 'hello' })], { env: { NO_COLOR: '1' } })
  await plain.waitFor('agent answers')
  expect(plain.styleOf('[ Act ]').color).toBe(-1)
  expect(plain.output).not.toMatch(/\u001b\[[\d;]*(?:38|48);5/)
})

test('commands of the person are completed, listed in help and sent with what follows them', async () => {
  const program = new Program()
  writeFiles(program.home, {
    '.config/conclave/commands/review.md':
      '# Review a file\nLook hard at $ARGUMENTS and say what is wrong.\n',
  })
  const terminal = new TerminalSession(program, [program.replies({ text: 'All fine.' })])
  await terminal.waitFor('agent answers')
  terminal.type('/rev')
  await terminal.waitFor('yours: Review a file')
  await terminal.press('ctrl+c')
  terminal.type('/help\r')
  await terminal.waitFor('╭─ Help')
  await terminal.press('pageDown', 'pageDown', 'pageDown', 'pageDown')
  await terminal.waitFor('/review <words>')
  await terminal.escapeFrom('╭─ Help')
  terminal.type('/review src/a.ts\r')
  const screen = await terminal.waitFor('All fine.')
  expect(screen).toContain('Look hard at src/a.ts and say what is wrong.')
  expect(existsSync(join(program.folder, '.conclave/commands'))).toBe(false)
})
