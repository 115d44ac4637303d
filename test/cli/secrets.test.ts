import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answers, calls, faultServer, says } from '../support/fault-server.ts'
import { type Ended, Program, serverConfig } from '../support/program.ts'

const key = 'sk-conclave-test-5f3a9c1e7b'
const env = { CONCLAVE_TEST_KEY: key }
const config = (url: string): string => serverConfig(url, ', api_key_env: CONCLAVE_TEST_KEY')

/** Looks for the key in what was printed and in every byte the program has left behind. */
async function expectNoKey(program: Program, ...ended: Ended[]): Promise<void> {
  const { stdout: list } = await program.run(['sessions', 'list'], { env })
  const chat = list.split(' ', 1)[0] ?? ''
  expect(chat).toMatch(/^chat_/)
  const exports = await Promise.all(
    [
      ['show', chat, '--verbose'],
      ['export', chat],
      ['export', chat, '--format', 'json'],
    ].map((args) => program.run(['sessions', ...args], { env })),
  )
  for (const { stdout, stderr } of [...ended, ...exports]) expect(stdout + stderr).not.toContain(key)
  for (const folder of [program.home, program.folder]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      expect(bytes.includes(key), entry.name).toBe(false)
    }
  }
}

test('the key reaches the server and nothing else', async () => {
  const looking = calls('shell', { command: 'env; cat /proc/self/environ; set' })
  const server = await faultServer(looking, says('nothing there'), says('{"verdict":"complete"}'))
  const program = new Program().configure(config(server.url))
  const flags = ['--permission-mode', 'auto', '--verbose', '--output-format', 'stream-json']
  const ended = await program.run(['-p', 'look for keys', ...flags], { env })
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing there') })
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
    server.requests.map(() => `Bearer ${key}`),
  )
  expect(server.requests.map(({ body }) => body).join('')).not.toContain(key)
  await expectNoKey(program, ended)
})

test('a server that repeats the key it refuses does not spread it', async () => {
  const body = JSON.stringify({ error: { message: `no such key: ${key}` } })
  const busy = answers(429, body, { 'retry-after': '0' })
  const server = await faultServer(busy, answers(401, body))
  const program = new Program().configure(config(server.url))
  const flags = ['--verbose', '--output-format', 'stream-json']
  const ended = await program.run(['-p', 'hi', ...flags], { env })
  expect(ended).toMatchObject({ code: 41, stderr: expect.stringContaining('no such key: [key]') })
  expect(server.requests).toHaveLength(2)
  await expectNoKey(program, ended)
})
