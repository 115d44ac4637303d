import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ShellRequest } from '../../ports/shell.ts'
import { testWith } from '../../../test/support/needs.ts'
import { temporaryFolder, writeFiles } from '../../../test/support/workbench.ts'
import { openShell } from './open-shell.ts'
import { privateFolder } from './private-folder.ts'
import { sandboxShell } from './sandbox-shell.ts'
import { seccompFilter } from './seccomp-filter.ts'

const run = (command: string, more: Partial<ShellRequest> = {}) =>
  sandboxShell().run({
    command,
    cwd: more.cwd ?? temporaryFolder(),
    timeout_ms: 20_000,
    access: 'read',
    signal: new AbortController().signal,
    ...more,
  })

describe('the sandbox shell', () => {
  testWith('bwrap', 'returns output, in order, and the exit code', async () => {
    expect(await run('echo one; echo two >&2; exit 3')).toEqual({ exit_code: 3, output: 'one\ntwo\n' })
    expect(await run(`printf '%s|' "$0" "it's" '"$HOME"'`)).toEqual({
      exit_code: 0,
      output: `bash|it's|"$HOME"|`,
    })
    const cwd = temporaryFolder()
    expect(await run('pwd', { cwd })).toEqual({ exit_code: 0, output: `${cwd}\n` })
  })

  testWith('bwrap', 'reads everything and writes nothing where only looking is allowed', async () => {
    const cwd = temporaryFolder()
    writeFiles(cwd, { 'a.txt': 'text' })
    const { output } = await run('cat a.txt; head -c 4 /etc/passwd; echo x > a.txt; echo x > /etc/x', { cwd })
    expect(output).toMatch(/^textroot.*Read-only file system\n.*Read-only file system\n$/s)
    expect(fs.readFileSync(path.join(cwd, 'a.txt'), 'utf8')).toBe('text')
  })

  testWith('bwrap', 'has a /tmp of its own, kept for the next command that may write', async () => {
    const cwd = temporaryFolder()
    await run('echo kept > /tmp/file', { cwd, access: 'write' })
    expect(await run('cat /tmp/file', { cwd, access: 'write' })).toEqual({ exit_code: 0, output: 'kept\n' })
    const looking = 'cat /tmp/file; echo x > /tmp/mine && cat /tmp/mine; echo y > /tmp/file'
    expect((await run(looking, { cwd })).output).toMatch(/^kept\nx\n.*Read-only/s)
    expect((await run('cat /tmp/mine', { cwd })).exit_code).toBe(1)
    expect((await run('ls /tmp/file')).exit_code).toBe(2)
    expect(fs.existsSync('/tmp/file')).toBe(false)
  })

  testWith('bwrap', 'lets a command clean up at the timeout, and kills the one that will not', async () => {
    const polite = `trap 'echo bye; exit 0' TERM; sleep 300 & wait`
    const expected = { exit_code: null, output: 'bye\n', ended_by: 'timeout' }
    expect(await run(polite, { timeout_ms: 500 })).toEqual(expected)
    const rude = await run(`trap '' TERM; echo begun; sleep 300; sleep 300`, { timeout_ms: 500 })
    expect(rude).toEqual({ exit_code: null, output: 'begun\n', ended_by: 'timeout' })
  })

  testWith('bwrap', 'has no sockets in the file system where only looking is allowed', async () => {
    const socket = `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die "$!\\n"; print "made\\n"'`
    expect((await run(socket)).output).toBe('Operation not permitted\n')
    expect((await run(socket, { access: 'write' })).output).toBe('made\n')
  })

  testWith('bwrap', 'works in the home itself, in a hidden folder, and through a link', async () => {
    const home = temporaryFolder()
    writeFiles(home, { '.ssh/id': 'key', '.bashrc': 'start', 'work/a.txt': 'text', '.aws/x/a.txt': 'mine' })
    fs.symlinkSync(path.join(home, 'work'), path.join(home, 'link'))
    const before = process.env['HOME']
    process.env['HOME'] = home
    try {
      const inHome = await run('cat .ssh/id; echo evil > .bashrc; echo x > new; cat new', {
        cwd: home,
        access: 'write',
      })
      expect(inHome.output).toMatch(/No such file.*Read-only file system.*x\n$/s)
      const hidden = await run('cat a.txt; ls ..', { cwd: path.join(home, '.aws/x') })
      expect(hidden.output).toBe('minex\n')
      expect((await run('cat a.txt', { cwd: path.join(home, 'link') })).output).toBe('text')
    } finally {
      process.env['HOME'] = before
    }
    expect(fs.readFileSync(path.join(home, '.bashrc'), 'utf8')).toBe('start')
  })

  testWith('bwrap', 'reports what could not be started', async () => {
    const failed = (why: RegExp) => ({
      exit_code: null,
      output: expect.stringMatching(why),
      ended_by: 'start_failed',
    })
    expect(await run('true', { cwd: '/nonexistent' })).toEqual(failed(/folder "\/nonexistent"/))
    expect(await run('echo \0')).toEqual(failed(/NUL/))
    expect(await run(`# ${'x'.repeat(3_000_000)}`)).toEqual(failed(/too long/))
    expect(await run('true', { signal: AbortSignal.abort() })).toMatchObject({ ended_by: 'cancel' })
  })

  testWith('bwrap', 'is chosen unless the config says otherwise', async () => {
    const request = {
      command: 'touch /etc/conclave-test-x 2>/dev/null || echo confined',
      cwd: temporaryFolder(),
      timeout_ms: 20_000,
      access: 'write',
      signal: new AbortController().signal,
    } as const
    const shell = openShell({ sandbox: 'auto', network: false })
    expect(shell.confines).toBe(true)
    expect((await shell.run(request)).output).toBe('confined\n')
    const off = openShell({ sandbox: 'off', network: false })
    expect(off.confines).toBe(false)
    expect(await off.run({ ...request, access: 'read' })).toMatchObject({ ended_by: 'start_failed' })
  })
})

it('has a private folder that nobody else may enter', () => {
  const folder = privateFolder()
  expect(privateFolder()).toBe(folder)
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
})

it('leaves no private folder behind, and removes those of killed processes', () => {
  const parent = temporaryFolder()
  const module = JSON.stringify(path.join(import.meta.dirname, 'private-folder.ts'))
  const start = (end: string): void => {
    const script = `const { privateFolder } = await import(${module}); privateFolder(); ${end}`
    const env = { ...process.env, TMPDIR: parent }
    spawnSync(process.execPath, ['--input-type=module', '-e', script], { env })
  }
  start(`process.kill(process.pid, 'SIGKILL')`)
  expect(fs.readdirSync(parent)).toHaveLength(1)
  start('')
  expect(fs.readdirSync(parent)).toEqual([])
})

it('builds a kernel filter of whole instructions that all stay inside it', () => {
  const filter = seccompFilter({ unixSockets: false })
  const known = ['x64', 'arm64'].includes(process.arch)
  expect(filter !== undefined).toBe(known)
  for (let at = 0; filter && at < filter.length; at += 8) {
    const furthest = at / 8 + 1 + Math.max(filter[at + 2] ?? 0, filter[at + 3] ?? 0)
    const isReturn = filter.readUInt16LE(at) === 6
    expect(isReturn || furthest < filter.length / 8).toBe(true)
  }
})
