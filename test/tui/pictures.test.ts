import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ChatReply, type ChatRequest, chatServer } from '../support/chat-server.ts'
import { Program, serverConfig } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

/** A red dot, and another file of it. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)
const OTHER = Buffer.concat([DOT, Buffer.from('other')])

const shown = (bytes: Buffer) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
})
const words = (text: string) => ({ type: 'text', text })

/** What the person said, as the model got it. */
const said = (request: ChatRequest | undefined): unknown =>
  request?.messages.findLast(({ role }) => role === 'user')?.content

async function begin(reply: (request: ChatRequest) => ChatReply = () => ({ text: 'I see.' })) {
  const program = new Program()
  const server = await chatServer(reply)
  program.configure(serverConfig(server.base_url))
  writeFileSync(join(program.folder, 'dot.png'), DOT)
  writeFileSync(join(program.folder, 'the other.png'), OTHER)
  const terminal = new TerminalSession(program, [])
  await terminal.waitFor('a answers')
  return { program, server, terminal, path: (name: string) => join(program.folder, name) }
}

test('a picture whose path is pasted goes to the model, and is named below the message', async () => {
  const { terminal, server, path, program } = await begin()
  terminal.type('what is')
  // What is typed at once after it stays behind it.
  terminal.paste(path('dot.png'))
  terminal.type('about?\r')
  const screen = await terminal.waitFor('I see.')
  expect(screen).toContain('   what is [Picture 1: dot.png] about?\n   ▣ dot.png · PNG · 70 bytes\n')
  expect(said(server.requests[0])).toEqual([words('what is [Picture 1: dot.png] about?'), shown(DOT)])

  await terminal.waitUntilGone('Esc interrupt')
  terminal.type('/export out.md\r')
  await terminal.waitFor('written to')
  const { stdout } = await program.shell('cat out.md')
  expect(stdout).toContain('## You\n\nwhat is [Picture 1: dot.png] about?\n\n- dot.png · PNG · 70 bytes\n')
})

test('several files that are dropped, and bytes that are pasted', async () => {
  const { terminal, server, path } = await begin()
  terminal.paste(`'${path('the other.png')}' file://${path('dot.png')}`)
  await terminal.waitFor('❯ [Picture 1: the other.png] [Picture 2: dot.png]')
  terminal.paste(`data:image/png;base64,${OTHER.toString('base64')}`)
  await terminal.waitFor('[Picture 3: pasted.png]')
  terminal.paste(DOT.toString('base64'))
  await terminal.waitFor('[Picture 4: pasted.png]')
  await terminal.press('enter')
  await terminal.waitFor('I see.')
  const text =
    '[Picture 1: the other.png] [Picture 2: dot.png] [Picture 3: pasted.png] [Picture 4: pasted.png]'
  expect(said(server.requests[0])).toEqual([words(text), ...[OTHER, DOT, OTHER, DOT].map(shown)])
})

test('a token is one character to the keys; what is deleted is not sent, and comes back when undone', async () => {
  const { terminal, server, path } = await begin()
  terminal.paste(`${path('dot.png')} '${path('the other.png')}'`)
  await terminal.waitFor('❯ [Picture 1: dot.png] [Picture 2: the other.png]')
  // Over the blank and the second token, then the blank and the first are deleted.
  await terminal.press('left', 'left', 'backspace', 'backspace')
  await terminal.waitFor(/^❯ \[Picture 2: the other\.png\]\s*$/m)
  terminal.type('\u001f')
  await terminal.waitFor('❯ [Picture 1: dot.png][Picture 2: the other.png]')
  await terminal.press('ctrl+e', 'ctrl+w')
  await terminal.waitFor(/^❯ \[Picture 1: dot\.png\]\s*$/m)
  await terminal.press('enter')
  await terminal.waitFor('I see.')
  expect(said(server.requests[0])).toEqual([words('[Picture 1: dot.png]'), shown(DOT)])
})

test('what cannot be attached is said, and stands in the input as it was pasted', async () => {
  const { terminal, server, path, program } = await begin()
  writeFileSync(path('notes.png'), 'only text')
  writeFileSync(path('huge.png'), Buffer.concat([DOT, Buffer.alloc(5_000_000)]))
  terminal.type('look at')
  terminal.paste(path('gone.png'))
  terminal.type('and\r')
  await terminal.waitFor((screen) => screen.replaceAll(/\n\s*/g, '').includes('gone.pngand'))
  expect(terminal.screen()).toContain('gone.png is not attached: there is no such file')
  expect(server.requests).toEqual([])
  await terminal.press('ctrl+c')
  for (const [name, why] of [
    ['notes.png', 'this is no PNG, JPEG, GIF or WebP'],
    ['huge.png', 'it has 5.0 MB; models take at most 5 MB'],
    ['gone.png', 'there is no such file'],
  ] as const) {
    terminal.paste(path(name))
    await terminal.waitFor(`${name} is not attached: ${why}`)
    // The path may be longer than the input is wide.
    await terminal.waitFor((screen) => screen.replaceAll(/\n\s*/g, '').includes(`❯ ${path(name)}`))
    await terminal.press('ctrl+c')
    await terminal.waitUntilGone(name)
  }
  terminal.paste('see-logo.png')
  expect(await terminal.waitFor('❯ see-logo.png')).not.toContain('not attached')
  await terminal.press('ctrl+c')

  terminal.paste(`${path('dot.png')} `.repeat(11))
  await terminal.waitFor('dot.png is not attached: a message takes at most 10 pictures')
  await terminal.press('enter')
  await terminal.waitFor('I see.')
  const content = said(server.requests[0]) as { type: string; text?: string }[]
  expect(content.filter(({ type }) => type === 'image_url')).toHaveLength(10)
  expect(content[0]?.text?.endsWith(`[Picture 10: dot.png] ${program.folder}/dot.png`)).toBe(true)
})

test('while an agent works a picture waits in the queue, and goes with its message', async () => {
  const { terminal, server, path } = await begin(({ messages }) =>
    JSON.stringify(messages).includes('Picture') ? { text: 'I see.' } : 'silence',
  )
  terminal.type('begin\r')
  await terminal.waitFor('Esc interrupt')
  for (const [name, send] of [
    ['dot.png', '\r'],
    ['the other.png', '\u001b\r'],
  ] as const) {
    terminal.paste(`"${path(name)}"`)
    await terminal.waitFor(`: ${name}]`)
    terminal.type(send)
    await terminal.waitUntilGone(`: ${name}]`)
  }
  await terminal.waitFor('2 queued')
  await terminal.press('escape')
  await terminal.waitFor((screen) => screen.split('I see.').length === 3)
  const got = server.requests.map(said)
  expect(got).toContainEqual([words('[Picture 1: dot.png]'), shown(DOT)])
  expect(got).toContainEqual([words('[Picture 2: the other.png]'), shown(OTHER)])
})

test('an answer takes no picture: it stays in the input', async () => {
  const question = { question: 'Which one?', context: 'c', options: [] }
  const { terminal, path } = await begin(() => ({
    call: { name: 'ask_user_question', arguments: { ...question, severity: 'minor' } },
  }))
  terminal.type('ask me\r')
  await terminal.waitFor('Which one?')
  terminal.paste(path('dot.png'))
  await terminal.waitFor('❯ [Picture 1: dot.png]')
  await terminal.press('enter')
  expect(await terminal.waitFor('An answer takes no picture')).toContain('❯ [Picture 1: dot.png]')
})

test('an earlier prompt brings its picture along in this start; later it names it only', async () => {
  const { terminal, server, path, program } = await begin()
  terminal.paste(path('dot.png'))
  await terminal.waitFor('❯ [Picture 1: dot.png]')
  await terminal.press('enter')
  await terminal.waitFor('I see.')
  await terminal.waitUntilGone('Esc interrupt')
  await terminal.press('up', 'enter')
  await terminal.waitFor((screen) => screen.split('I see.').length === 3)
  expect(said(server.requests[1])).toEqual([words('[Picture 1: dot.png]'), shown(DOT)])

  const later = new TerminalSession(program, [])
  await later.waitFor('a answers')
  await later.press('ctrl+r')
  await later.waitFor('Earlier prompts')
  await later.press('enter')
  await later.waitFor(/^❯ dot\.png\s*$/m)
})

test('a message that is written anew has its pictures again, also from another start', async () => {
  const { terminal, server, path, program } = await begin()
  terminal.paste(path('dot.png'))
  terminal.type('what?\r')
  await terminal.waitFor('I see.')
  await terminal.waitUntilGone('Esc interrupt')
  await terminal.press('ctrl+c', 'ctrl+c')
  await terminal.ended
  const again = new TerminalSession(program, ['--continue'])
  await again.waitFor('I see.')
  again.paste(path('the other.png'))
  await again.waitFor('[Picture 1: the other.png]')
  await again.press('ctrl+c', 'escape')
  await again.waitFor('Esc again goes back')
  await again.press('escape')
  await again.waitFor('Rewind to before')
  await again.press('enter')
  await again.waitFor('❯ [Picture 2: dot.png] what?')
  await again.press('enter')
  await again.waitFor('I see.')
  expect(said(server.requests[1])).toEqual([words('[Picture 2: dot.png] what?'), shown(DOT)])
})

test('a terminal that is attached to a server sends the pictures of its own machine', async () => {
  const { server, path, program } = await begin()
  const running = program.start(['serve'])
  await running.until(() => running.stdout.includes('\n'))
  const terminal = new TerminalSession(program, ['attach', running.stdout.trim()])
  await terminal.waitFor('attached to')
  terminal.paste(path('dot.png'))
  await terminal.waitFor('❯ [Picture 1: dot.png]')
  await terminal.press('enter')
  expect(await terminal.waitFor('I see.')).toContain('▣ dot.png · PNG · 70 bytes')
  expect(said(server.requests[0])).toEqual([words('[Picture 1: dot.png]'), shown(DOT)])
})

test('pictures of the command line go with its prompt; without one, or refused, they wait in the input', async () => {
  const { server, program } = await begin()
  const terminal = new TerminalSession(program, ['-i', 'dot.png', '--image', 'the other.png', 'what?'])
  await terminal.waitFor('I see.')
  const text = '[Picture 1: dot.png] [Picture 2: the other.png] what?'
  expect(said(server.requests[0])).toEqual([words(text), shown(DOT), shown(OTHER)])
  const alone = new TerminalSession(program, ['-i', 'dot.png'])
  await alone.waitFor('❯ [Picture 1: dot.png]')
  const refused = new TerminalSession(program, ['-i', 'gone.png', 'what?'])
  expect(await refused.waitFor('❯ gone.png what?')).toContain('not attached: there is no such file')
  expect(server.requests).toHaveLength(1)
})

test('every agent of a team is shown the picture', async () => {
  const { server, program, path } = await begin()
  const backend = `{ type: openai_compatible, base_url: "${server.base_url}", model: m }`
  program.configure(`agents:\n  - { id: ada, backend: ${backend} }\n  - { id: bob, backend: ${backend} }\n`)
  const terminal = new TerminalSession(program, [])
  await terminal.waitFor('A team of 2')
  terminal.paste(path('dot.png'))
  await terminal.waitFor('❯ [Picture 1: dot.png]')
  await terminal.press('enter')
  expect(await terminal.waitFor('▣ dot.png · PNG · 70 bytes')).toContain('[Picture 1: dot.png]')
  await terminal.waitFor(() => server.requests.length >= 2)
  const pictures = server.requests.map(({ messages }) => JSON.stringify(messages).split('image_url"').length)
  expect(new Set(pictures)).toEqual(new Set([3]))
})
