import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultServer, goesSilent, says } from '../support/fault-server.ts'
import { Program, readResult, serverConfig } from '../support/program.ts'

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends a run that waits for a silent server, and the chat goes on afterwards',
  async (signal) => {
    const server = await faultServer(goesSilent(), says('here I am'))
    const program = new Program().configure(serverConfig(server.url))
    const running = program.start(['-p', 'go', '--output-format', 'json'])
    await server.received(1)
    running.signal(signal)
    const { code, stdout } = await running.ended
    expect({ code, ...readResult(stdout) }).toMatchObject({ code: 130, status: 'cancelled' })
    const next = await program.run(['-c', '-p', 'and now?'])
    expect(next).toMatchObject({ code: 0, stdout: 'here I am\n' })
  },
)

test('SIGINT ends a hanging command with everything it started, and the chat goes on afterwards', async () => {
  const program = new Program()
  // In a sandbox a process has another number than outside; these are found by what they wait for.
  const long = `600.${process.pid}`
  const command = `sleep ${long} & trap "" TERM INT; echo > began; sleep ${long}; sleep ${long}`
  const model = program.replies(
    { calls: [{ name: 'shell', input: { command } }] },
    { text: 'I was interrupted.' },
  )
  const flags = [model, '--permission-mode', 'auto']
  const running = program.start(['-p', 'go', ...flags])
  await running.until(() => existsSync(join(program.folder, 'began')) && sleepers(long) === 2)
  running.signal('SIGINT')
  const { code, stdout } = await running.ended
  expect({ code, stdout }).toEqual({ code: 130, stdout: 'Interrupted.\n' })
  expect(sleepers(long)).toBe(0)
  const next = await program.run(['-c', '-p', 'what happened?', ...flags])
  expect(next).toMatchObject({ code: 0, stdout: 'I was interrupted.\n' })
})

/** How many processes of this machine are `sleep <long>`. */
function sleepers(long: string): number {
  const listed = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout
  return listed.split('\n').filter((line) => line === `sleep ${long}`).length
}

test('SIGINT during a pause between attempts ends the run at once', async () => {
  const server = await faultServer((response) => {
    response.writeHead(429, { 'retry-after': '20' }).end('{}')
  })
  const program = new Program().configure(serverConfig(server.url))
  const running = program.start(['-p', 'go', '--verbose'])
  await running.until(() => running.stderr.includes('trying again in'))
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(130)
  expect(server.requests).toHaveLength(1)
})

test('a run killed in the middle is finished by the next -c', async () => {
  const server = await faultServer(goesSilent(), says('finished after all'))
  const program = new Program().configure(serverConfig(server.url))
  const running = program.start(['-p', 'go'])
  await server.received(1)
  running.signal('SIGKILL')
  expect((await running.ended).code).toBeNull()
  expect(await program.run(['-p', '-c'])).toEqual({ code: 0, stdout: 'finished after all\n', stderr: '' })
  const nothing = await program.run(['-p', '-c'])
  expect(nothing).toMatchObject({ code: 42, stderr: expect.stringContaining('nothing unfinished') })
})
