import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Program } from '../support/program.ts'
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

test('what is wrong with the address is told before the screen is taken', async () => {
  const program = new Program()
  const { address } = await serve(program, program.replies({ text: 'x' }))
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as { port: number }
  closed.close()
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
