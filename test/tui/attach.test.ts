import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chatServer } from '../support/chat-server.ts'
import { Program, type Running, serverConfig } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'

async function serve(program: Program, ...args: string[]) {
  const running = program.start(['serve', ...args])
  await running.until(() => running.stdout.includes('\n'))
  return { running, address: new URL(running.stdout.trim()) }
}

test('attach works in a chat of the server, and the token may be in the environment', async () => {
  const program = new Program()
  const { address } = await serve(program, program.replies({ text: 'The server says hello.' }))
  const token = address.searchParams.get('token') ?? ''
  const terminal = new TerminalSession(program, ['attach', address.origin], {
    env: { CONCLAVE_TOKEN: token },
  })
  await terminal.waitFor('attached to http://127.0.0.1')
  terminal.type('hi\r')
  await terminal.waitFor('The server says hello.')

  const again = new TerminalSession(program, ['attach', '--continue', address.href])
  await again.waitFor('The server says hello.')
  again.type('!touch made\r')
  await again.waitFor('not sent to a server')
  expect(existsSync(join(program.folder, 'made'))).toBe(false)
})

test('a server that ends is said to be gone; what was said stays on the screen', async () => {
  const program = new Program()
  const { running, address } = await serve(program, program.replies({ text: 'Hello.' }, { text: 'Again.' }))
  const terminal = new TerminalSession(program, ['attach', address.href])
  await terminal.waitFor('attached to')
  terminal.type('hi\r')
  await terminal.waitFor('Hello.')
  running.signal('SIGTERM')
  await running.ended
  expect(await terminal.waitFor('does not answer; trying again')).toContain('Hello.')
})

test('what was being written when the server died is not added to when it is back', async () => {
  const program = new Program()
  const model = await chatServer(() => ({
    begins: model.requests.length === 1 ? 'Half of an ' : 'A whole answer',
  }))
  program.configure(serverConfig(model.base_url))
  const token = 'a-token-of-more-than-thirty-two-letters'
  const start = async (port: string): Promise<Running> => {
    const running = program.start(['serve', '--port', port], { env: { CONCLAVE_TOKEN: token } })
    await running.until(() => running.stdout.includes('\n'))
    return running
  }
  const first = await start(String(await freePort()))
  const { origin, port } = new URL(first.stdout.trim())
  const terminal = new TerminalSession(program, ['attach', origin], { env: { CONCLAVE_TOKEN: token } })
  await terminal.waitFor('attached to')
  terminal.type('hi\r')
  await terminal.waitFor('Half of an')
  first.signal('SIGKILL')
  await first.ended
  await terminal.waitFor('does not answer; trying again')
  await start(port)
  const screen = await terminal.waitFor('A whole answer')
  expect(screen).not.toContain('Half of an')
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

test('what is wrong with the address is told before the screen is taken', async () => {
  const program = new Program()
  const { address } = await serve(program, program.replies({ text: 'x' }))
  const port = await freePort()
  const tried = [
    { args: ['attach'], says: 'the address that conclave serve printed', code: 2 },
    { args: ['attach', 'localhost'], says: 'the address that conclave serve printed', code: 2 },
    { args: ['attach', address.origin], says: 'CONCLAVE_TOKEN', code: 2 },
    { args: ['attach', `${address.origin}/?token=wrong`], says: 'does not take this token', code: 41 },
    { args: ['attach', `http://127.0.0.1:${port}/?token=x`], says: 'is conclave serve running?', code: 1 },
    { args: ['attach', '-r', 'nope', address.href], says: 'has no chat "nope"', code: 42 },
  ]
  for (const { args, says, code } of tried) {
    const terminal = new TerminalSession(program, args)
    expect([args, (await terminal.ended).code]).toEqual([args, code])
    await terminal.settled()
    expect(terminal.screen().replaceAll('\n', '')).toContain(says)
  }
})
