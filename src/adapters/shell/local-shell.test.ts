import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ShellRequest, ShellResult } from '../../ports/shell.ts'
import { localShell } from './local-shell.ts'

let folder: string

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-shell-')))
})

afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true })
})

const run = (command: string, more: Partial<ShellRequest> = {}): Promise<ShellResult> =>
  localShell().run({
    command,
    cwd: folder,
    timeout_ms: 20_000,
    access: 'write',
    signal: new AbortController().signal,
    ...more,
  })

/** Runs a command that writes process ids into `pids`, and tells which of them live on. */
async function survivors(
  command: string,
  more: Partial<ShellRequest> = {},
): Promise<[ShellResult, number[]]> {
  const result = await run(command, more)
  const pids = fs.readFileSync(path.join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
  const alive = () => pids.filter(isAlive)
  // A killed process takes a moment to be gone.
  for (let round = 0; round < 100 && alive().length > 0; round += 1) await sleep(10)
  return [result, alive()]
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== 'linux') return true
    return !/\) [ZX] /u.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

it('returns the output, stdout and stderr in order, and the exit code', async () => {
  expect(await run('echo one; echo two >&2; echo three')).toEqual({
    exit_code: 0,
    output: 'one\ntwo\nthree\n',
  })
  expect(await run('printf partial; exit 7')).toEqual({ exit_code: 7, output: 'partial' })
  expect(await run('pwd')).toEqual({ exit_code: 0, output: `${folder}\n` })
})

it('runs the command byte for byte in bash', async () => {
  expect(
    await run(`printf '%s|' "$0" $'a\\tb' "it's" '"$HOME"' "\${#BASH_VERSION}" | cut -d'|' -f1-4`),
  ).toEqual({
    exit_code: 0,
    output: `bash|a\tb|it's|"$HOME"\n`,
  })
})

it('tells a signal from an exit code, and reports a syntax error', async () => {
  expect(await run('kill -9 $$')).toEqual({ exit_code: null, output: '', ended_by: 'signal' })
  expect(await run('if')).toEqual({ exit_code: 2, output: expect.stringContaining('syntax error') })
})

it('has no input to wait for', async () => {
  expect(await run('cat; read -r line; echo "$?"')).toEqual({ exit_code: 0, output: '1\n' })
})

it('passes no secret on, and only what a command needs', async () => {
  process.env['FOO_API_KEY'] = 'seeded-secret'
  process.env['HTTPS_PROXY'] = 'http://user:seeded-secret@proxy.example'
  try {
    const { output } = await run('env; export -p')
    expect(output).toContain('TERM=dumb')
    expect(output).toContain('PATH=')
    expect(output).not.toContain('FOO_API_KEY')
    expect(output).not.toContain('seeded-secret')
  } finally {
    delete process.env['FOO_API_KEY']
    delete process.env['HTTPS_PROXY']
  }
})

it('kills the whole group at the timeout, also what ignores SIGTERM', async () => {
  const command = `trap '' TERM; sleep 300 & echo $! >> pids; echo $$ >> pids; echo begun; sleep 300; sleep 300`
  const [result, alive] = await survivors(command, { timeout_ms: 500 })
  expect(result).toEqual({ exit_code: null, output: 'begun\n', ended_by: 'timeout' })
  expect(alive).toEqual([])
})

it('lets a command clean up at the timeout', async () => {
  const result = await run(`trap 'echo bye; exit 0' TERM; sleep 300 & wait`, { timeout_ms: 500 })
  expect(result).toEqual({ exit_code: null, output: 'bye\n', ended_by: 'timeout' })
})

it('kills the whole group when cancelled', async () => {
  const cancel = new AbortController()
  const [result, alive] = await survivors('sleep 300 & echo $! >> pids; echo $$ >> pids; echo begun; wait', {
    signal: cancel.signal,
    onOutput: () => cancel.abort(),
  })
  expect(result).toEqual({ exit_code: null, output: 'begun\n', ended_by: 'cancel' })
  expect(alive).toEqual([])
})

it('does not start when already cancelled', async () => {
  const result = await run('touch started', { signal: AbortSignal.abort() })
  expect(result).toEqual({ exit_code: null, output: '', ended_by: 'cancel' })
  expect(fs.readdirSync(folder)).toEqual([])
})

it('is not held up by a background process that keeps the output open, and ends it', async () => {
  const [result, alive] = await survivors('sleep 300 & echo $! > pids; echo done')
  expect(result).toEqual({ exit_code: 0, output: 'done\n' })
  expect(alive).toEqual([])
})

it('ends a background process that does not keep the output open', async () => {
  const [result, alive] = await survivors('sleep 300 >/dev/null 2>&1 & echo $! > pids')
  expect(result).toEqual({ exit_code: 0, output: '' })
  expect(alive).toEqual([])
})

it.runIf(process.platform === 'linux')('ends a daemon that left the process group', async () => {
  const daemon = `setsid sh -c 'echo $$ >> pids; exec sleep 300' >/dev/null 2>&1 &`
  const [result, alive] = await survivors(`${daemon} until [ -s pids ]; do sleep 0.01; done`)
  expect(result.exit_code).toBe(0)
  expect(alive).toEqual([])
  const [cut, stillAlive] = await survivors(`rm pids; ${daemon} sleep 300`, { timeout_ms: 500 })
  expect(cut.ended_by).toBe('timeout')
  expect(stillAlive).toEqual([])
})

it('keeps the head and the tail of endless output, and says how much is left out', async () => {
  const shell = localShell({ keep: { head: 1_000, tail: 2_000 } })
  let live = 0
  const { output, ended_by } = await shell.run({
    command: 'echo first; exec yes',
    cwd: folder,
    timeout_ms: 500,
    access: 'write',
    signal: new AbortController().signal,
    onOutput: (text) => (live += text.length),
  })
  expect(ended_by).toBe('timeout')
  expect(output).toMatch(/^first\ny\n[^]*\n… \[\d+ bytes left out\] …\n[^]*\ny\n$/u)
  expect(output.length).toBeLessThan(3_100)
  expect(live).toBeGreaterThan(output.length)
  expect(live).toBeLessThan(2_000_000)
})

it('replaces invalid UTF-8, and streams characters split between writes whole', async () => {
  expect(await run(`printf 'a\\377b'`)).toEqual({ exit_code: 0, output: 'a\ufffdb' })
  const pieces: string[] = []
  const result = await run(`printf '\\360\\237'; sleep 0.2; printf '\\230\\200\\303'`, {
    onOutput: (text) => pieces.push(text),
  })
  expect(result.output).toBe('😀\ufffd')
  expect(pieces.join('')).toBe('😀\ufffd')
})

it('reports what could not be started', async () => {
  const started = (output: RegExp) => ({
    exit_code: null,
    output: expect.stringMatching(output),
    ended_by: 'start_failed',
  })
  expect(await run('true', { cwd: path.join(folder, 'gone') })).toEqual(started(/folder ".*gone"/))
  expect(await run('echo \0')).toEqual(started(/NUL/))
  expect(await run(`# ${'x'.repeat(3_000_000)}`)).toEqual(started(/too long/))
})
