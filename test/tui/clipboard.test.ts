import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { chatServer } from '../support/chat-server.ts'
import { testWith } from '../support/needs.ts'
import { Program, serverConfig } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

/** An X server without a screen, for its clipboard. */
async function display(): Promise<{ DISPLAY: string; copy: (type: string, content: Buffer) => void }> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const number = await new Promise<string>((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
    ;(server.stdio[3] as Readable).setEncoding('utf8').once('data', resolve)
  })
  const DISPLAY = `:${number.trim()}`
  return {
    DISPLAY,
    // It stays behind to hand the content out until the server ends.
    copy: (type, input) => {
      const args = ['-selection', 'clipboard', '-t', type]
      const { status } = spawnSync('xclip', args, {
        input,
        env: { ...process.env, DISPLAY },
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      expect(status).toBe(0)
    },
  }
}

testWith(
  'xclip',
  'Ctrl+V takes what is on the clipboard: a picture, text, or the path of a picture',
  async () => {
    const program = new Program()
    const server = await chatServer(() => ({ text: 'I see.' }))
    program.configure(serverConfig(server.base_url))
    writeFileSync(join(program.folder, 'dot.png'), PNG)
    const { DISPLAY, copy } = await display()
    const terminal = new TerminalSession(program, [], { env: { DISPLAY } })
    await terminal.waitFor('a answers')

    await terminal.press('ctrl+v')
    await terminal.waitFor('The clipboard holds no picture and no text')
    copy('image/png', PNG)
    await terminal.press('ctrl+v')
    await terminal.waitFor('❯ [Picture 1: clipboard.png]')
    copy('UTF8_STRING', Buffer.from('what is this?'))
    await terminal.press('ctrl+v')
    await terminal.waitFor('❯ [Picture 1: clipboard.png] what is this?')
    copy('UTF8_STRING', Buffer.from(join(program.folder, 'dot.png')))
    // An empty paste is what a terminal makes of a picture.
    terminal.paste('')
    await terminal.waitFor('[Picture 2: dot.png]')
    await terminal.press('enter')
    await terminal.waitFor('I see.')
    const picture = {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` },
    }
    expect(server.requests[0]?.messages.at(-1)?.content).toEqual([
      { type: 'text', text: '[Picture 1: clipboard.png] what is this? [Picture 2: dot.png]' },
      picture,
      picture,
    ])

    copy('image/png', Buffer.from('no picture at all'))
    await terminal.press('ctrl+v')
    await terminal.waitFor('The picture is not attached: this is no PNG, JPEG, GIF or WebP')
    copy('image/png', Buffer.alloc(16_000_000))
    await terminal.press('ctrl+v')
    await terminal.waitFor('What is on the clipboard is too large')
  },
)

test('without a clipboard, or with a tool that hangs, that is said and one can go on', async () => {
  const program = new Program()
  const none = new TerminalSession(program, [program.replies({ text: 'x' })])
  await none.waitFor('agent answers')
  await none.press('ctrl+v')
  await none.waitFor('There is no clipboard here')
  const tools = join(program.home, 'tools')
  mkdirSync(tools)
  writeFileSync(join(tools, 'xclip'), '#!/bin/sh\nexec sleep 60\n')
  chmodSync(join(tools, 'xclip'), 0o755)
  const env = { DISPLAY: ':99', PATH: `${tools}:${process.env['PATH'] ?? ''}` }
  const stuck = new TerminalSession(program, [program.replies({ text: 'x' })], { env })
  await stuck.waitFor('agent answers')
  await stuck.press('ctrl+v')
  stuck.type('typed meanwhile')
  const screen = await stuck.waitFor('❯ typed meanwhile')
  expect(screen).toContain('xclip did not say what is on the clipboard')
})
