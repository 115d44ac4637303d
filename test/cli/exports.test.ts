import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'

const root = join(import.meta.dirname, '../..')

const consumer = `
import { type Envelope, session } from 'conclave/core'
import { type ChatView, emptyChatView, foldAll, foldChat, itemCount, itemsBetween } from 'conclave/view'
import { type Client, ClientError, httpClient } from 'conclave/client'

declare const process: { argv: string[]; stdout: { write(text: string): void } }

const [, , address = ''] = process.argv
const { origin, searchParams } = new URL(address)
const client: Client = httpClient({ url: origin, token: searchParams.get('token') ?? '' })
const { folder, agents, settings } = await client.roster()
const chat_id = await client.newChatId()
await client.execute({ type: 'create_chat', chat_id, folder, title: 'from outside' })
const feed = await client.open(chat_id)
await client.execute({ type: 'send_message', chat_id, text: 'hello', agent_id: agents[0]!.id, settings })
let view: ChatView = foldAll(emptyChatView, feed.first)
for await (const envelope of feed) {
  const { event }: Envelope = envelope
  view = foldChat(view, envelope)
  if (event.type === 'turn.closed') break
}
const said = itemsBetween(view.transcript, 0, itemCount(view.transcript))
  .flatMap((item) => (item.kind === 'agent_message' ? [item.text] : []))
const refused = await client.open('chat_none').then(() => 'opened', (error: unknown) =>
  error instanceof ClientError ? error.status : 'unknown')
process.stdout.write(JSON.stringify({ said, refused, events: typeof session.evolve }))
feed.close()
await client.close()
`

/** A project that depends on the package, as npm would link it. */
function project(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/conclave'))
  writeFiles(folder, {
    'package.json': '{ "type": "module" }',
    'use.ts': consumer,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...{
          target: 'es2024',
          lib: ['es2024', 'dom'],
          module: 'nodenext',
          strict: true,
          noEmit: true,
          types: [],
        },
        skipLibCheck: false,
      },
      include: ['use.ts'],
    }),
  })
  return folder
}

test('a program of somebody else talks to a server through conclave/client and conclave/view', async () => {
  const program = new Program()
  const running = program.start(['serve', program.replies({ text: 'Hello, stranger.' })])
  await running.until(() => running.stdout.includes('\n'))
  const folder = project()
  const { stdout, stderr } = spawnSync(process.execPath, ['use.ts', running.stdout.trim()], { cwd: folder })
  expect(String(stderr)).toBe('')
  expect(JSON.parse(String(stdout))).toEqual({ said: ['Hello, stranger.'], refused: 404, events: 'function' })
}, 60_000)

test('the types of what is exported stand on their own', () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: project() })
  expect([String(stdout), status]).toEqual(['', 0])
}, 60_000)
