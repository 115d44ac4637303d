import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { httpClient } from '../../src/client/http.ts'
import { emptyChatView, foldAll, foldChat } from '../../src/view/chat-view.ts'
import { itemCount, itemsBetween } from '../../src/view/transcript.ts'
import { Program } from '../support/program.ts'
import { answers } from '../support/team-bench.ts'
import { team } from '../support/team-config.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'

const program = join(import.meta.dirname, '..', '..', 'bin', 'conclave')

/** Starts the real program and returns the address it prints. */
async function start(args: string[], folder: string): Promise<{ child: ChildProcess; page: string }> {
  const child = spawn(program, ['serve', '--data-dir', join(folder, '.data'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const [page] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('it ended'))),
  ])) as [string]
  return { child, page }
}

const project = (): string => {
  const folder = temporaryFolder()
  writeFiles(folder, { 'note.txt': 'old words\n' })
  return folder
}

test('conclave serve prints one address, does the work it is sent, and ends in good order', async () => {
  const folder = project()
  const { child, page } = await start(['--permission-mode', 'auto'], folder)
  const { origin, searchParams } = new URL(page)
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const client = httpClient({ url: origin, token: searchParams.get('token') ?? '' })
  const roster = await client.roster()
  expect(roster).toMatchObject({ folder, agents: [{ id: 'rehearsal' }] })
  const chat_id = await client.newChatId()
  expect(await client.execute({ type: 'create_chat', chat_id, folder, title: 'Create a file' })).toEqual({
    accepted: true,
  })
  const feed = await client.open(chat_id)
  const text = 'create a file made.txt containing "hello"'
  const agent_id = 'rehearsal'
  const sent = await client.execute({
    type: 'send_message',
    chat_id,
    text,
    agent_id,
    settings: roster.settings,
  })
  expect(sent).toEqual({ accepted: true })
  let view = foldAll(emptyChatView, feed.first)
  for await (const envelope of feed) {
    view = foldChat(view, envelope)
    if (envelope.event.type === 'turn.closed') break
  }
  const items = itemsBetween(view.transcript, 0, itemCount(view.transcript))
  expect(items.at(-1)).toMatchObject({ kind: 'written_files', files: [{ path: 'made.txt', change: 'new' }] })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}, 30_000)

test('an address that others can reach is refused with what to do about it', async () => {
  const folder = project()
  const child = spawn(program, ['serve', '--host', '0.0.0.0', '--data-dir', join(folder, '.data')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (data) => (said += String(data)))
  expect(await once(child, 'exit')).toEqual([2, null])
  expect(said).toContain('--allow-remote')
}, 30_000)

const clientOf = (page: string) => {
  const { origin, searchParams } = new URL(page)
  return httpClient({ url: origin, token: searchParams.get('token') ?? '' })
}

async function served(program: Program) {
  const running = program.start(['serve'])
  await running.until(() => running.stdout.includes('\n'))
  return { running, client: clientOf(running.stdout.trim()) }
}

test('a run in flight when the server is stopped is finished by the next one, and nothing is done twice', async () => {
  const program = team(
    new Program(),
    {
      ada: [answers('Ada answers.'), { text: 'Ada presents.' }],
      bob: [
        { calls: [{ name: 'create_file', input: { path: 'slow.txt', content: 'x' } }] },
        { ...answers('Bob answers.'), delay_ms: 3_000 },
        { text: 'Bob presents.' },
      ],
    },
    'orchestrator: { skip_voting: true }\n',
  )
  const first = await served(program)
  const chat_id = await first.client.newChatId()
  const { folder, runs } = await first.client.roster()
  if (!runs) throw new Error('there are no teams')
  await first.client.execute({ type: 'create_chat', chat_id, folder, title: 'in flight' })
  const feed = await first.client.open(chat_id)
  await first.client.execute({ type: 'start_run', chat_id, text: 'go', settings: runs.multi_quick })
  const before: string[] = []
  for await (const { stream, seq, event } of feed) {
    if (seq !== null) before.push(`${stream}:${seq}`)
    if (event.type === 'tool.finished') break
  }
  first.running.signal('SIGTERM')
  expect((await first.running.ended).code).toBe(0)
  feed.close()

  const second = await served(program)
  const resumed = await second.client.open(chat_id)
  let view = foldAll(emptyChatView, resumed.first)
  const seen = new Set(resumed.first.map(({ stream, seq }) => `${stream}:${seq}`))
  expect(before.filter((position) => !seen.has(position))).toEqual([])
  const isOver = () => view.run?.status === 'complete' && view.under_way === null
  if (!isOver()) {
    for await (const envelope of resumed) {
      view = foldChat(view, envelope)
      if (isOver()) break
    }
  }
  expect(view.run?.agents.map(({ answers: given }) => given.length)).toEqual([1, 1])
  expect(view.run?.final_answer).toMatch(/presents/)
  await second.client.close()
}, 60_000)

test('what the server cannot listen on is said, with what to do about it', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const program = new Program()
  const tried = [
    { args: ['--port', String(port)], code: 42, says: [`127.0.0.1:${port} is in use`, '--port'] },
    { args: ['--port', '70000'], code: 42, says: ['cannot listen on 127.0.0.1:70000', '--port'] },
    { args: ['--host', 'no.such.host.invalid'], code: 2, says: ['--allow-remote'] },
    {
      args: ['--host', 'no.such.host.invalid', '--allow-remote'],
      code: 42,
      says: ['cannot listen on', '--host'],
    },
    { args: ['--host', '203.0.113.9', '--allow-remote'], code: 42, says: ['cannot listen on', '--host'] },
  ]
  for (const { args, code, says } of tried) {
    const ended = await program.run(['serve', ...args])
    expect([args, ended.code, ended.stdout]).toEqual([args, code, ''])
    for (const text of says) expect(ended.stderr).toContain(text)
    expect(ended.stderr).not.toContain('    at ')
  }
}, 60_000)

test('a build without the page says so and serves the API', async () => {
  const root = join(import.meta.dirname, '..', '..')
  const copy = temporaryFolder()
  cpSync(join(root, 'dist'), join(copy, 'dist'), {
    recursive: true,
    filter: (path) => !path.startsWith(join(root, 'dist', 'web')),
  })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFiles(copy, { 'package.json': '{ "type": "module" }' })
  const folder = project()
  const child = spawn(
    process.execPath,
    [join(copy, 'dist/main.js'), 'serve', '--data-dir', join(folder, '.data')],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: folder },
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (data) => (said += String(data)))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  expect(said).toContain('npm run build')
  expect((await clientOf(line).roster()).folder).toBe(folder)
  const page = await fetch(line, { redirect: 'manual' })
  const answer = await fetch(new URL('/', line), {
    headers: { cookie: page.headers.get('set-cookie')?.split(';')[0] ?? '' },
  })
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('/api/openapi.json')])
}, 60_000)

test('what is wrong with the config or the token is said at the start, not to the first page', async () => {
  const program = new Program()
  program.configure(
    `agents: [{ id: a, backend: { type: rehearsal } }]\norchestrator: { context_paths: [{ path: ${program.home}/.config/conclave, permission: write }] }\n`,
  )
  const refused = await program.run(['serve'])
  expect(refused.stdout).toBe('')
  expect(refused.stderr).toContain('may not be written')
  expect(refused.stderr).not.toContain('    at ')
  expect(refused.code).not.toBe(0)

  const guessable = await new Program().run(['serve'], { env: { CONCLAVE_TOKEN: 'secret' } })
  expect(guessable).toMatchObject({ code: 2, stdout: '' })
  expect(guessable.stderr).toContain('CONCLAVE_TOKEN')
}, 30_000)

test('a token that is given is used, and a page that was opened with it goes on after a restart', async () => {
  const program = new Program()
  const env = { CONCLAVE_TOKEN: 'a-token-that-nobody-can-guess-0123456789' }
  const begin = async (...args: string[]) => {
    const running = program.start(['serve', ...args], { env })
    await Promise.race([running.until(() => running.stdout.includes('\n')), running.ended])
    return { running, page: new URL(running.stdout.trim()) }
  }
  const first = await begin()
  expect(first.page.searchParams.get('token')).toBe(env.CONCLAVE_TOKEN)
  const entered = await fetch(first.page, { redirect: 'manual' })
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
  expect(cookie).not.toContain(env.CONCLAVE_TOKEN)
  const ask = async (): Promise<number> =>
    (await fetch(`${first.page.origin}/api/chats`, { headers: { cookie } })).status
  expect(await ask()).toBe(200)
  first.running.signal('SIGKILL')
  await first.running.ended
  await begin('--port', first.page.port)
  expect(await ask()).toBe(200)
}, 30_000)
