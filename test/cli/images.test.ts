import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ChatRequest, chatServer } from '../support/chat-server.ts'
import { Program, serverConfig } from '../support/program.ts'

/** A red dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)
const shown = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } }

const said = (request: ChatRequest | undefined): unknown[] =>
  request?.messages.filter(({ role }) => role === 'user').map(({ content }) => content) ?? []

const kept = (program: Program): string[] => readdirSync(join(program.home, '.local/share/conclave/pictures'))

async function withPicture(more = '') {
  const program = new Program()
  const server = await chatServer(() => ({ text: 'A red dot.' }))
  program.configure(serverConfig(server.base_url, more))
  writeFileSync(join(program.folder, 'dot.png'), PNG)
  return { program, server }
}

test('a picture goes with the prompt, and is still there in later turns', async () => {
  const { program, server } = await withPicture()
  const first = await program.run(['-p', 'What is this?', '--image', 'dot.png'])
  expect(first).toMatchObject({ code: 0, stdout: 'A red dot.\n' })
  expect(said(server.requests[0])).toEqual([[{ type: 'text', text: 'What is this?' }, shown]])
  await program.run(['-c', '-p', 'And its size?'])
  expect(said(server.requests[1])).toEqual([
    [{ type: 'text', text: 'What is this?' }, shown],
    'And its size?',
  ])
})

test('the log names a picture; its bytes are kept beside it, and go with the last chat that names them', async () => {
  const { program } = await withPicture()
  await program.run(['-p', 'one', '-i', 'dot.png'])
  await program.run(['-p', 'two', '-i', 'dot.png'])
  const chats = (await program.run(['sessions', 'list'])).stdout.match(/chat_[\w-]+/gu) ?? []
  expect(chats).toHaveLength(2)
  const { stdout } = await program.run(['sessions', 'export', chats[0] ?? '', '--format', 'json'])
  expect(stdout).not.toContain(PNG.toString('base64'))
  expect(kept(program)).toHaveLength(1)
  expect(stdout).toContain(kept(program)[0])
  await program.run(['sessions', 'rm', chats[0] ?? ''])
  expect(kept(program)).toHaveLength(1)
  await program.run(['sessions', 'rm', chats[1] ?? ''])
  expect(kept(program)).toEqual([])
})

test('a model that takes no pictures is told that there was one', async () => {
  const { program, server } = await withPicture(', images: false')
  await program.run(['-p', 'What is this?', '-i', 'dot.png'])
  expect(said(server.requests[0])).toEqual(['What is this?\n[a picture, dot.png, which you cannot be shown]'])
})

test.each([
  ['nothing.png', 'no such file'],
  ['notes.png', 'no PNG, JPEG, GIF or WebP'],
  ['huge.png', 'it has 5.0 MB; models take at most 5 MB'],
])('%s is refused before anything is sent', async (name, why) => {
  const { program, server } = await withPicture()
  writeFileSync(join(program.folder, 'notes.png'), 'only text')
  writeFileSync(join(program.folder, 'huge.png'), Buffer.concat([PNG, Buffer.alloc(5_000_000)]))
  const { code, stderr } = await program.run(['-p', 'look', '-i', 'dot.png', '-i', name])
  expect(code).toBe(42)
  expect(stderr).toContain(`--image "${name}" cannot be sent: `)
  expect(stderr).toContain(why)
  expect(server.requests).toEqual([])
})

test('every agent of a team is shown the picture, once', async () => {
  const { program, server } = await withPicture()
  const backend = `{ type: openai_compatible, base_url: "${server.base_url}", model: m }`
  program.configure(`agents:\n  - { id: a, backend: ${backend} }\n  - { id: b, backend: ${backend} }\n`)
  await program.run(['-p', 'What is this?', '-i', 'dot.png', '--no-refine', '--timeout', '20'])
  expect(server.requests.length).toBeGreaterThanOrEqual(2)
  for (const request of server.requests) {
    const pictures = said(request)
      .flat()
      .filter((part) => JSON.stringify(part) === JSON.stringify(shown))
    expect(pictures).toHaveLength(1)
  }
})
