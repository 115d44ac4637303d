import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ShellRequest, ShellResult } from '../../src/ports/shell.ts'
import { reachOf, runIn, useDocker } from '../support/docker.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const docker = useDocker()

interface Bench {
  folder: string
  run(command: string, more?: Partial<ShellRequest>): Promise<ShellResult>
  /** The processes in the agent's containers, as the host sees them, without the first one and its reader. */
  processes(): Promise<string[]>
}

async function bench(environment?: Record<string, string>): Promise<Bench> {
  const folder = temporaryFolder()
  const containers = await docker.open()
  const shell = containers.shell({ key: 'a', reach: reachOf(folder), environment })
  return {
    folder,
    run: (command, more) => runIn(shell, folder, command, more),
    async processes() {
      const pids = (await docker.containers()).map(({ State }) => State.Pid)
      const spaces = pids.map((pid) => fs.readlinkSync(`/proc/${pid}/ns/pid`))
      // A killed process takes a moment to be gone.
      for (let round = 0; round < 100 && processesIn(spaces).length > 0; round += 1) await sleep(10)
      return processesIn(spaces)
    },
  }
}

function processesIn(spaces: string[]): string[] {
  return fs.readdirSync('/proc').flatMap((pid) => {
    try {
      if (!spaces.includes(fs.readlinkSync(`/proc/${pid}/ns/pid`))) return []
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
      // The daemon starts the process for the next command.
      const starts = words[0] === 'runc' && words[1] === 'init'
      const ours = starts || (words[0] === 'sh' && words[2]?.startsWith('\n')) || words[0] === 'cat'
      return ours || /\) [ZX] /u.test(stat) ? [] : [words.join(' ').trim()]
    } catch {
      return []
    }
  })
}

testWith('docker', 'returns the output, stdout and stderr in order, and the exit code', async () => {
  const { folder, run } = await bench()
  expect(await run('echo one; echo two >&2; echo three')).toEqual({
    exit_code: 0,
    output: 'one\ntwo\nthree\n',
  })
  expect(await run('printf partial; exit 7')).toEqual({ exit_code: 7, output: 'partial' })
  expect(await run('pwd')).toEqual({ exit_code: 0, output: `${folder}\n` })
  expect(await run('ended 0 >&2; echo "ended 0"; exit 5')).toMatchObject({ exit_code: 5 })
})

testWith('docker', 'gives the command to the shell byte for byte, at once and ahead', async () => {
  const { run } = await bench()
  const command = `printf '%s|' "it's" '"$HOME"' 'é😀' "a\nb" \${x%x}\n\n`
  for (const _ of [1, 2, 3]) {
    expect(await run(command)).toEqual({ exit_code: 0, output: `it's|"$HOME"|é😀|a\nb||`.replace('||', '|') })
    await sleep(150)
  }
  expect(await run(`true ${'x'.repeat(120_000)}`)).toEqual({ exit_code: 0, output: '' })
})

testWith('docker', 'works on the files of the host, which has them at the same path', async () => {
  const { folder, run } = await bench()
  fs.writeFileSync(path.join(folder, 'given.txt'), 'from the host\n')
  expect(await run(`cat ${folder}/given.txt; echo made > made.txt`)).toMatchObject({
    output: 'from the host\n',
  })
  expect(fs.readFileSync(path.join(folder, 'made.txt'), 'utf8')).toBe('made\n')
  expect(await run('ls /', { access: 'read' })).not.toMatchObject({
    output: expect.stringMatching(/^(home|root)$/m),
  })
})

testWith('docker', 'has no input to wait for, and no keys', async () => {
  process.env['FOO_API_KEY'] = 'seeded-secret'
  const { run } = await bench({ FOO: 'given' })
  try {
    expect(await run('cat; read -r line; echo "$?"')).toEqual({ exit_code: 0, output: '1\n' })
    const { output } = await run('env; cat /proc/1/environ')
    expect(output).toContain('FOO=given')
    expect(output).not.toContain('seeded-secret')
  } finally {
    delete process.env['FOO_API_KEY']
  }
})

testWith('docker', 'lets a command that only looks write nothing but its own /tmp', async () => {
  const { folder, run } = await bench()
  fs.writeFileSync(path.join(folder, 'kept.txt'), 'kept')
  const look = (command: string) => run(command, { access: 'read' })
  expect(await look('echo x > new.txt')).toMatchObject({
    exit_code: 1,
    output: expect.stringContaining('Read-only'),
  })
  expect(await look('rm kept.txt')).toMatchObject({
    exit_code: 1,
    output: expect.stringContaining('Read-only'),
  })
  expect(await look('echo x > /etc/x')).toMatchObject({ output: expect.stringContaining('Read-only') })
  expect(await look('echo x > /tmp/x && cat /tmp/x kept.txt')).toEqual({ exit_code: 0, output: 'x\nkept' })
  expect(await look('ip link 2>&1 | grep -c "^[0-9]"')).toMatchObject({ output: '1\n' })
  expect(fs.readdirSync(folder)).toEqual(['kept.txt'])
})

testWith('docker', 'ends every process of a command with it', async () => {
  const { run, processes } = await bench()
  expect(await run('sleep 300 & echo done')).toEqual({ exit_code: 0, output: 'done\n' })
  expect(await processes()).toEqual([])
  expect(await run('setsid env -i sleep 300 >/dev/null 2>&1 & sleep 0.2')).toMatchObject({ exit_code: 0 })
  expect(await processes()).toEqual([])
})

testWith(
  'docker',
  'ends all of it at the timeout, also what ignores SIGTERM, and lets a command clean up',
  async () => {
    const { run, processes } = await bench()
    await run('true')
    const stubborn = `trap '' TERM; setsid env -i sleep 300 & sleep 300 & echo begun; sleep 300; sleep 300`
    expect(await run(stubborn, { timeout_ms: 500 })).toEqual({
      exit_code: null,
      output: 'begun\n',
      ended_by: 'timeout',
    })
    expect(await processes()).toEqual([])
    const tidy = await run(`trap 'echo bye; exit 0' TERM; sleep 300 & wait`, { timeout_ms: 500 })
    expect(tidy).toEqual({ exit_code: null, output: 'bye\n', ended_by: 'timeout' })
  },
)

testWith(
  'docker',
  'ends all of it when cancelled, and starts nothing that was cancelled before',
  async () => {
    const { folder, run, processes } = await bench()
    const cancel = new AbortController()
    const result = await run('sleep 300 & echo begun; wait', {
      signal: cancel.signal,
      onOutput: () => cancel.abort(),
    })
    expect(result).toEqual({ exit_code: null, output: 'begun\n', ended_by: 'cancel' })
    expect(await processes()).toEqual([])
    expect(await run('touch started', { signal: cancel.signal })).toMatchObject({ ended_by: 'cancel' })
    expect(fs.readdirSync(folder)).toEqual([])
  },
)

testWith('docker', 'ends one command and leaves the other at work', async () => {
  const { run, processes } = await bench()
  await run('true')
  const long = run('echo begun; sleep 1; echo finished')
  await sleep(300)
  expect(await run('setsid env -i sleep 222 & sleep 333 & sleep 0.2; echo short')).toMatchObject({
    output: 'short\n',
  })
  expect(await processes()).not.toEqual(expect.arrayContaining([expect.stringMatching(/sleep (222|333)/)]))
  expect(await long).toEqual({ exit_code: 0, output: 'begun\nfinished\n' })
  expect(await processes()).toEqual([])
})

testWith('docker', 'survives a command that kills all it can, and one that starts all it can', async () => {
  const { folder, run, processes } = await bench()
  expect(await run('kill -9 -1; sleep 9')).toMatchObject({ exit_code: null, ended_by: 'signal' })
  expect(await run('kill -9 $PPID; sleep 0.3; echo on')).toMatchObject({ exit_code: null })
  fs.writeFileSync(path.join(folder, 'bomb.sh'), 'sh ./bomb.sh & sh ./bomb.sh & sleep 300\n')
  expect(await run('sh ./bomb.sh', { timeout_ms: 1_000 })).toMatchObject({ ended_by: 'timeout' })
  expect(await run('echo well')).toEqual({ exit_code: 0, output: 'well\n' })
  expect(await processes()).toEqual([])
})

testWith('docker', 'keeps the head and the tail of endless output', async () => {
  const { run } = await bench()
  const { output, ended_by } = await run('echo first; exec yes', { timeout_ms: 500 })
  expect(ended_by).toBe('timeout')
  expect(output).toMatch(/^first\ny\n[^]*\n… \[\d+ bytes left out\] …\n[^]*y\n?$/u)
  expect(output.length).toBeLessThan(60_000)
})

testWith('docker', 'says what could not be started', async () => {
  const { folder, run } = await bench()
  expect(await run('echo \0')).toMatchObject({
    ended_by: 'start_failed',
    output: expect.stringContaining('NUL'),
  })
  expect(await run(`# ${'x'.repeat(200_000)}`)).toMatchObject({ output: expect.stringContaining('too long') })
  expect(await run('true', { cwd: '/usr' })).toMatchObject({ output: expect.stringContaining('not there') })
  expect(await run('true', { cwd: path.join(folder, 'gone') })).toMatchObject({ ended_by: 'start_failed' })
})
