import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calls, faultServer, says } from '../support/fault-server.ts'
import { Program, readStream } from '../support/program.ts'

const KEY = 'sk-canary-1234567890'

/** A session of two turns with a server, recorded: files, a command, a sub-agent, a failed call. */
async function recordSession() {
  const program = new Program({ 'data.txt': 'one\n' })
  const start = join(program.home, 'start')
  cpSync(program.folder, start, { recursive: true })
  const server = await faultServer(
    calls('shell', { command: `cat ${program.folder}/data.txt && echo two >> ${program.folder}/data.txt` }),
    calls('explore', { question: 'what is in data.txt?' }),
    calls('read_file', { path: 'data.txt' }),
    says('It has two lines.'),
    calls('read_file', { path: 'missing.txt' }),
    says('Done.'),
    calls('update_file', { path: 'data.txt', edits: [{ old_text: 'two', new_text: 'drei' }] }),
    says('Changed.'),
  )
  const config = `record: true\nagents:\n  - id: a\n    system_message: Be brief.\n    backend: { type: openai_compatible, base_url: "${server.url}", model: m, api_key_env: TEST_KEY }\n`
  writeFileSync(join(program.home, 'config.yaml'), config)
  const flags = [
    '--config',
    join(program.home, 'config.yaml'),
    '--permission-mode',
    'auto',
    '--output-format',
    'stream-json',
  ]
  const env = { TEST_KEY: KEY }
  const first = await program.run(['-p', 'do it', ...flags], { env })
  const second = await program.run(['-p', 'and more', '-c', ...flags], { env })
  expect([first.code, second.code]).toEqual([0, 0])
  const recordings = join(program.home, '.local/share/conclave/recordings')
  const { chat_id } = readStream(first.stdout).result
  const outputs = [first.stdout, second.stdout]
  return { program, server, start, recordings, chat_id, outputs }
}

/** Without what is different every time: ids, times, and where it happened. */
function comparable(lines: string[], folder: string): unknown[] {
  const ids = new Map<string, string>()
  const name = (id: string) => ids.get(id) ?? ids.set(id, `<id ${ids.size}>`).get(id) ?? ''
  return lines.map((line) => {
    const text = line
      .replaceAll(folder, '<folder>')
      .replaceAll(/(call_[0-9a-z-]{8}(?=_)|(chat|turn)_[0-9a-z]{18})/g, name)
      .replaceAll(/"(at|duration_ms)":("[^"]*"|\d+)/g, '"$1":0')
    return JSON.parse(text) as unknown
  })
}

/** The events of the turns; the chat itself was opened once, or twice. */
const eventsOf = (stdout: string): string[] => stdout.trim().split('\n')

test('a recorded session is replayed offline with the same events, in a copy', async () => {
  const { program, server, start, chat_id, outputs } = await recordSession()
  const requests = server.requests.length
  const copy = join(program.home, 'copy')
  cpSync(start, copy, { recursive: true })
  const replayed = await program.run(['replay', chat_id, '--folder', copy])
  expect(replayed).toMatchObject({ code: 0, stderr: expect.stringContaining('replaying 2 recorded turn(s)') })
  const then = comparable(outputs.flatMap(eventsOf), program.folder)
  const now = comparable(eventsOf(replayed.stdout), copy)
  expect(now).toEqual(then)
  expect(server.requests).toHaveLength(requests)
  expect(readFileSync(join(copy, 'data.txt'), 'utf8')).toBe('one\ndrei\n')
  expect(readFileSync(join(program.folder, 'data.txt'), 'utf8')).toBe('one\ndrei\n')
})

test('recordings hold no key, and are for their owner only', async () => {
  const { recordings } = await recordSession()
  const files = readdirSync(recordings)
  // Two turns, and that of the sub-agent.
  expect(files).toHaveLength(3)
  for (const file of files) {
    expect(statSync(join(recordings, file)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(recordings, file), 'utf8')).not.toContain(KEY)
  }
})

test('a replay never touches the original, also through links', async () => {
  const { program, recordings, start } = await recordSession()
  rmSync(program.folder, { recursive: true })
  cpSync(start, program.folder, { recursive: true })
  rmSync(join(program.folder, 'data.txt'))
  writeFileSync(join(program.folder, 'real.txt'), 'one\n')
  symlinkSync(join(program.folder, 'real.txt'), join(program.folder, 'data.txt'))
  const file = readdirSync(recordings).find((name) => !name.includes('-')) ?? ''
  const { code, stdout, stderr } = await program.run(['replay', join(recordings, file), '--force'])
  const copy = /in (\/\S+):/.exec(stderr)?.[1] ?? ''
  expect({ code, stdout: stdout !== '', copied: existsSync(copy) }).toEqual({
    code: 1,
    stdout: true,
    copied: true,
  })
  expect(readFileSync(join(program.folder, 'real.txt'), 'utf8')).toBe('one\n')
  expect(readFileSync(join(copy, 'real.txt'), 'utf8')).toContain('two')
  rmSync(join(copy, '..'), { recursive: true })
})

test('a request that is not the recorded one is shown, and ends the replay', async () => {
  const { program, start, chat_id } = await recordSession()
  writeFileSync(join(start, 'data.txt'), 'uno\n')
  const { code, stderr } = await program.run(['replay', chat_id, '--folder', start])
  expect(code).toBe(1)
  expect(stderr).toMatch(/request 2 of turn_\w+ is not the recorded one/)
  expect(stderr).toMatch(
    /request\.messages\[\d\]\.output differs at character \d+:\n {2}recorded: .*one.*\n {2}now: .*uno/,
  )
})

test('what a person refused then is refused again', async () => {
  const program = new Program({ 'a.txt': 'a' })
  const copy = join(program.home, 'copy')
  cpSync(program.folder, copy, { recursive: true })
  const call = { name: 'delete_file', input: { path: 'a.txt' } }
  const flags = ['--record', '--permission-mode', 'ask', '--output-format', 'stream-json']
  const model = program.replies({ calls: [call] }, { text: 'Then not.' })
  const then = await program.run(['-p', 'go', model, ...flags, '--on-pending', 'default'])
  expect(then).toMatchObject({ code: 0, stdout: expect.stringContaining('"decision":"deny"') })
  const now = await program.run(['replay', readStream(then.stdout).result.chat_id, '--folder', copy])
  expect(now).toMatchObject({ code: 0, stdout: expect.stringContaining('"decision":"deny"') })
  expect(existsSync(join(copy, 'a.txt'))).toBe(true)
})

test('says what is wrong with what it is given', async () => {
  const { program, chat_id, recordings } = await recordSession()
  const child = readdirSync(recordings).find((name) => name.includes('-')) ?? ''
  const nested = await program.run(['replay', join(recordings, child)])
  expect(nested).toMatchObject({ code: 42, stderr: expect.stringContaining('sub-agent') })
  const original = await program.run(['replay', chat_id, '--folder', '.'])
  expect(original).toMatchObject({ code: 42, stderr: expect.stringContaining('give a copy') })
  const unknown = await program.run(['replay', 'chat_nothing'])
  expect(unknown).toMatchObject({ code: 42, stderr: expect.stringContaining('--record') })
  const noRecording = await program.run(['replay', 'data.txt'])
  expect(noRecording).toMatchObject({ code: 42, stderr: expect.stringContaining('no recording') })
  expect((await program.run(['replay'])).code).toBe(2)
})
