import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchPendings } from '../../src/tui/watch-pendings.ts'
import { Feed } from '../support/feed.ts'
import { Program } from '../support/program.ts'
import { openScreen } from '../support/screen.ts'
import { TerminalSession } from '../support/terminal.ts'

test('Ctrl+G opens the input in the editor of the person and takes over what they saved', async () => {
  const program = new Program()
  const editor = join(program.home, 'my editor')
  writeFileSync(editor, '#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && printf "%s" "$(cat "$2") and $1" > "$2"\n')
  chmodSync(editor, 0o755)
  const env = { EDITOR: `"${editor}" --wait` }
  const terminal = new TerminalSession(program, [program.replies({ text: 'fine' })], { env })
  await terminal.waitFor('agent answers')
  terminal.type('fix this')
  await terminal.waitFor('❯ fix this')
  await terminal.press('ctrl+g')
  await terminal.waitFor('❯ fix this and --wait')
  expect(terminal.modes).toMatchObject({ screen: 'alternate', bracketedPasteMode: true })
  await terminal.press('enter')
  await terminal.waitFor('fine')
})

test('Ctrl+G with an editor that fails leaves the input as it was', async () => {
  const program = new Program()
  const terminal = new TerminalSession(program, [], { env: { EDITOR: 'false' } })
  await terminal.waitFor('answers')
  terminal.type('fix this')
  await terminal.waitFor('❯ fix this')
  await terminal.press('ctrl+g')
  await terminal.waitFor('the input is unchanged')
  expect(terminal.screen()).toContain('❯ fix this')
})

test('a terminal with a light background gets the light theme', async () => {
  const program = new Program()
  const dark = new TerminalSession(program, [])
  await dark.waitFor('answers')
  await dark.waitForOutput('\u001b]11;?')
  const { color } = dark.styleOf('Say what')
  const light = new TerminalSession(program, [])
  await light.waitForOutput('\u001b]11;?')
  light.type('\u001b]11;rgb:ffff/ffff/ffff\u0007')
  await light.waitFor(() => light.screen().includes('Say what') && light.styleOf('Say what').color !== color)
  expect(light.screen()).not.toContain('rgb:')
})

for (const [name, args, env] of [
  ['NO_COLOR', [], { NO_COLOR: '1' }],
  ['--no-color', ['--no-color'], {}],
] as const) {
  test(`${name}: no colour, but weight`, async () => {
    const program = new Program()
    const terminal = new TerminalSession(
      program,
      [program.replies({ text: '`code` and **bold**' }), ...args],
      {
        env: { ...env },
      },
    )
    await terminal.waitFor('agent answers')
    terminal.type('hi\r')
    await terminal.waitFor('code and bold')
    expect(terminal.styleOf('bold')).toMatchObject({ color: -1, bold: true })
    expect(terminal.output).not.toMatch(/\u001b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;\d+)*m/)
  })
}

test('--no-alt-screen draws below the prompt and leaves the last frame there', async () => {
  const program = new Program()
  const command = ['sh', '-c', `echo before; "$CONCLAVE" "$@"; echo after`, 'sh'] as const
  const args = ['--no-alt-screen', program.replies({ text: 'Here I am.' })]
  const terminal = new TerminalSession(program, [], { command: [...command, ...args] })
  await terminal.waitFor('agent answers')
  terminal.type('hello\r')
  await terminal.waitFor('Here I am.')
  expect(terminal.modes).toMatchObject({ screen: 'normal' })
  await terminal.press('ctrl+c', 'ctrl+c')
  expect(await terminal.ended).toMatchObject({ code: 0 })
  await terminal.settled()
  const left = terminal.scrollback()
  expect(terminal.output).not.toContain('\u001b[?1049h')
  for (const text of ['before', 'Here I am.', 'after']) expect(left).toContain(text)
  expect(left.indexOf('after')).toBeGreaterThan(left.indexOf('Here I am.'))
})

test('--print-transcript leaves the chat in the scrollback', async () => {
  const program = new Program()
  const reply = { text: 'Here \u001b[31mI am.' }
  const terminal = new TerminalSession(program, ['--print-transcript', program.replies(reply)])
  await terminal.waitFor('agent answers')
  terminal.type('hello there\r')
  await terminal.waitFor('I am.')
  await terminal.press('ctrl+c', 'ctrl+c')
  await terminal.ended
  await terminal.settled()
  expect(terminal.modes).toMatchObject({ screen: 'normal' })
  expect(terminal.screen()).toContain('hello there')
  expect(terminal.screen()).toContain('Here ␛[31mI am.')
})

test('a long run rings when it ends; a short one does not; the words of the notification are ours', async () => {
  const settings = { permission: 'deny', max_iterations: 1, reflect: 'never' } as const
  const agents = [{ id: 'a\u001b]0;x\u0007', model: 'm' }]
  const roster = { version: '0', folder: '/', agents, interactive: false, settings }
  const feed = new Feed()
  const { app, terminal } = await openScreen({ client: feed.client, roster, folder: '/' })
  let written = ''
  terminal.onWrite = (data) => (written += data)
  await app.session?.open(feed.chat)
  watchPendings(app)
  const work = async (turn_id: `turn_${string}`) => {
    await feed.store(feed.chat, { type: 'turn.opened', turn_id, agent_id: 'a', settings })
    await feed.store(feed.chat, { type: 'turn.closed', turn_id, outcome: 'complete' })
  }
  await work('turn_1')
  expect(written).not.toContain('\u0007')
  feed.at = new Date(Date.now() - 60_000).toISOString()
  await work('turn_2')
  expect(written).toContain('\u0007\u001b]9;conclave is done\u0007')
  app.stop()
})
