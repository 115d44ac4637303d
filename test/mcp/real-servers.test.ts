import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/workbench.ts'
import { connect, everythingProgram, filesystemServer } from './support.ts'

test('the filesystem server lists, reads and writes, and keeps to its own folder', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'note.txt'), 'hello')
  const desk = await connect({ fs: filesystemServer(folder) })
  expect(desk.problems).toEqual([])
  const read = desk.tools.find(({ name }) => name === 'mcp__fs__read_text_file')
  expect(read).toMatchObject({ read_only: false, changes: 'anything' })
  expect(read?.access?.({}, '/')).toEqual([{ kind: 'mcp', server: 'fs', tool: 'read_text_file' }])
  expect(read?.input).toMatchObject({ foreign: { type: 'object', properties: { path: { type: 'string' } } } })

  const path = join(folder, 'note.txt')
  expect(await desk.run('mcp__fs__read_text_file', { path })).toEqual({ success: true, output: 'hello' })
  await desk.run('mcp__fs__write_file', { path, content: 'changed' })
  expect(readFileSync(path, 'utf8')).toBe('changed')
  const outside = await desk.run('mcp__fs__read_text_file', { path: '/etc/passwd' })
  expect(outside).toMatchObject({ success: false, output: expect.stringContaining('denied') })
})

test('the everything server answers over stdio: text, images, progress, errors', async () => {
  const desk = await connect({
    all: { command: process.execPath, args: [everythingProgram, 'stdio'], read_only_tools: ['echo'] },
  })
  expect(desk.problems).toEqual([])
  expect(await desk.run('mcp__all__echo', { message: 'hi' })).toMatchObject({
    success: true,
    output: 'Echo: hi',
  })
  expect(desk.tools.find(({ name }) => name === 'mcp__all__echo')).toMatchObject({ read_only: true })
  expect(desk.tools.filter(({ read_only }) => read_only)).toHaveLength(1)
  const image = await desk.run('mcp__all__get-tiny-image')
  expect(image.output).toMatch(/\[image: image\/png, \d+ bytes; it cannot be shown here\]/)
  const shown: string[] = []
  const long = await desk.run(
    'mcp__all__trigger-long-running-operation',
    { duration: 1, steps: 3 },
    { onOutput: (progress) => shown.push(progress) },
  )
  expect(long.success).toBe(true)
  expect(shown.join('')).toMatch(/[12]\/3/)
  expect(await desk.run('mcp__all__get-sum', { a: 'x' })).toMatchObject({ success: false })
})

test('the everything server answers over streamable HTTP, with a header from the environment', async () => {
  const { url } = await everythingOverHttp()
  const desk = await connect(
    { web: { url, headers: { authorization: 'Bearer ${SECRET}' } } },
    { environment: { SECRET: 'x' } },
  )
  expect(desk.problems).toEqual([])
  expect(await desk.run('mcp__web__echo', { message: 'far' })).toEqual({ success: true, output: 'Echo: far' })
  const shown: string[] = []
  await desk.run(
    'mcp__web__trigger-long-running-operation',
    { duration: 1, steps: 2 },
    { onOutput: (progress) => shown.push(progress) },
  )
  expect(shown.length).toBeGreaterThan(0)
})

test('an HTTP server that goes away fails the call and nothing else', async () => {
  const { url, server } = await everythingOverHttp()
  const desk = await connect({ web: { url } })
  server.kill('SIGKILL')
  await once(server, 'exit')
  const result = await desk.run('mcp__web__echo', { message: 'x' })
  expect(result).toMatchObject({ success: false, output: expect.stringContaining('The MCP server web: ') })
})

async function everythingOverHttp(): Promise<{ url: string; server: ChildProcess }> {
  const port = await freePort()
  const server = spawn(process.execPath, [everythingProgram, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.once('exit', () => reject(new Error(said)))
    server.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('listening')) resolve()
    })
  })
  return { url: `http://127.0.0.1:${port}/mcp`, server }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
