import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostileServer } from '../mcp/support.ts'
import { Program } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

const attack = [
  '\u001b[1;31m\u001b[8mhidden',
  '\u001b[?1049l\u001b[?1000l\u001b[?2004l\u001b[2J\u001b[H',
  '\u001b]0;stolen title\u0007\u001b]52;c;aGk=\u0007\u001b]8;;http://evil.example\u0007x',
  '\u001b[6n\u001b[c\u001bP$qm\u001b\\\u009b31m\u0007\u202etxt\u200b',
  // Scroll region, character set, cursor, keyboard protocols, a reset.
  '\u001b[3;5r\u001b(0\u000e\u001b[?25l\u001b[>1u\u001b[>4;2m\u001b[?1003h\u001b[?2026h\u001bc',
].join('')

test('36 what a model, a tool, a file name, a branch and an error say leaves the terminal as it is', async () => {
  const program = new Program({ 'evil.txt': attack, [`odd${attack.replaceAll('/', '')}.txt`]: 'x' })
  const calls = [
    { name: 'read_file', input: { path: 'evil.txt' } },
    { name: 'list_directory', input: { path: '.' } },
    { name: 'read_file', input: { path: `missing${attack}` } },
    { name: 'shell', input: { command: `echo ${attack}` } },
  ]
  const model = program.replies({ text: attack, reasoning: attack, calls }, { text: `${attack}\n\nfinished` })
  const terminal = new TerminalSession(program, [model])
  await terminal.waitFor('[ Act ]')
  const before = { ...terminal.modes, ...terminal.state }
  const bells = terminal.bells
  terminal.type('look\r')
  await terminal.waitFor('wants to use shell')
  expect({ ...terminal.modes, ...terminal.state }).toEqual(before)
  terminal.type('n')
  await terminal.waitFor('finished')
  await terminal.press('ctrl+o')
  terminal.type('@odd')
  await terminal.waitFor('odd␛')
  expect({ ...terminal.modes, ...terminal.state }).toEqual(before)
  expect(terminal.bells).toBe(bells)
  expect(terminal.titles).toEqual([])
  expect(terminal.output).not.toContain('\u001b]52')
  // pi-tui ends every line with a link that is empty; none may lead anywhere.
  expect(terminal.output).not.toMatch(/\u001b\]8;[^;]*;[^\u0007\u001b]/)
  expect(terminal.screen()).toContain('[ Act ]')
})

test('36 a branch, a title from another process, an MCP tool and an error of a model are shown, not obeyed', async () => {
  const program = new Program()
  // Git refuses control characters below U+0020 in a branch, and nothing else.
  const branch = 'main\u009b31m\u202egpj\u200b'
  mkdirSync(join(program.folder, '.git/refs/heads'), { recursive: true })
  mkdirSync(join(program.folder, '.git/objects'))
  writeFileSync(join(program.folder, '.git/HEAD'), `ref: refs/heads/${branch}\n`)
  await program.run(['-p', `earlier ${attack}`, program.replies({ text: attack })])

  const definitions = join(program.home, 'tools.json')
  writeFileSync(definitions, JSON.stringify([{ name: `peek${attack}`, inputSchema: { type: 'object' } }]))
  const servers = {
    [`s${attack}`]: hostileServer('defined', definitions),
    s: hostileServer('defined', definitions),
  }
  const script = join(program.home, 'script.json')
  writeFileSync(script, JSON.stringify({ replies: [{ fails: `down ${attack}` }] }))
  const agents = [{ id: 'a', backend: { type: 'scripted', file: script } }]
  program.configure(JSON.stringify({ agents, mcp_servers: servers }))
  const terminal = new TerminalSession(program, [], { cols: 160 })
  await terminal.waitFor('[ Act ]')
  await terminal.waitFor('(main')
  const before = { ...terminal.modes, ...terminal.state }
  terminal.type('/resume\r')
  await terminal.waitFor('earlier')
  await terminal.press('escape')
  await terminal.waitUntilGone('╭─')
  terminal.type('go\r')
  await terminal.waitFor('down ␛')
  terminal.type('/mcp\r')
  await terminal.waitFor((screen) => screen.includes('peek') || screen.includes('MCP'))
  await terminal.press('escape')
  expect({ ...terminal.modes, ...terminal.state }).toEqual(before)
  expect(terminal.titles).toEqual([])
  expect(terminal.bells).toBe(0)
  expect(terminal.output).not.toContain('\u009b')
  expect(terminal.output).not.toMatch(/[\u200b\u202e]/)
  expect(terminal.output).not.toMatch(/\u001b\](?:52|0|8;[^;]*;[^\u0007\u001b])/)
})
