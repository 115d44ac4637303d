import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { testWith } from '../../../test/support/needs.ts'
import { temporaryFolder } from '../../../test/support/workbench.ts'
import { localShell } from './local-shell.ts'
import { sandboxShell } from './sandbox-shell.ts'

const commands = [
  'cat "a b.txt"',
  'echo out; echo err >&2; exit 3',
  'printf \'two\nlines\\n\'; echo "$0 $BASH_EXECUTION_STRING"',
  'cat; echo end of input',
  'echo x > new; ls',
  'cat < /dev/tcp/127.0.0.1/9',
  'env | grep -v ^CONCLAVE_COMMAND= | sort; ulimit -a; umask; set +o',
  'kill -9 $$',
  `printf '%s' '${'long'.repeat(5_000)}' | wc -c`,
  '',
]

describe('a shell started ahead of its command', () => {
  const run = (cwd: string, command: string, ahead: boolean, timeout_ms = 20_000) =>
    localShell({ ahead }).run({
      command,
      cwd,
      timeout_ms,
      access: 'write',
      signal: new AbortController().signal,
    })

  test('does what one started for it does', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a b.txt'), 'grüße\n')
    for (const command of commands) {
      const expected = await run(folder, command, false)
      await run(folder, 'true', true)
      await sleep(50)
      expect(await run(folder, command, true), command).toEqual(expected)
    }
  })

  test('starts in the folder of that name as it is now', async () => {
    const folder = join(temporaryFolder(), 'project')
    mkdirSync(folder)
    await run(folder, 'true', true)
    rmSync(folder, { recursive: true })
    expect(await run(folder, 'pwd', true)).toMatchObject({ ended_by: 'start_failed' })
    mkdirSync(folder)
    writeFileSync(join(folder, 'new'), '')
    expect(await run(folder, 'ls', true)).toEqual({ exit_code: 0, output: 'new\n' })
  })

  test('is known by its mark when it leaves its group', async () => {
    const folder = temporaryFolder()
    await run(folder, 'true', true)
    const left = `sleep 86.${process.pid}`
    await run(folder, `setsid ${left} & sleep 0.2`, true)
    await run(folder, `setsid ${left} & sleep 60`, true, 300)
    expect(spawnSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).stdout).not.toContain(left)
  })
})

describe('a sandbox started ahead of its command', () => {
  const run = (cwd: string, command: string, ahead: boolean) =>
    sandboxShell({ ahead }).run({
      command,
      cwd,
      timeout_ms: 20_000,
      access: 'read',
      signal: new AbortController().signal,
    })

  testWith('bwrap', 'does what one started for it does', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a b.txt'), 'grüße\n')
    for (const command of commands) {
      const expected = await run(folder, command, false)
      await run(folder, 'true', true)
      await sleep(50)
      expect(await run(folder, command, true), command).toEqual(expected)
    }
  })

  testWith('bwrap', 'is not used for a folder that was replaced meanwhile', async () => {
    const folder = join(temporaryFolder(), 'project')
    mkdirSync(folder)
    writeFileSync(join(folder, 'old'), '')
    await run(folder, 'true', true)
    await sleep(50)
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    writeFileSync(join(folder, 'new'), '')
    expect(await run(folder, 'ls', true)).toEqual({ exit_code: 0, output: 'new\n' })
  })

  testWith('bwrap', 'neither keeps the program alive nor outlives it', async () => {
    const folder = temporaryFolder()
    const waiting = () =>
      spawnSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).stdout.includes(`--chdir ${folder} `)
    const module = JSON.stringify(join(import.meta.dirname, 'sandbox-shell.ts'))
    const script = `
      const { sandboxShell } = await import(${module})
      const cwd = ${JSON.stringify(folder)}
      const request = { cwd, timeout_ms: 9000, access: 'read', signal: new AbortController().signal }
      await sandboxShell({ ahead: true }).run({ ...request, command: 'true' })
      await new Promise((resolve) => setTimeout(resolve, 300))`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    while (!waiting()) await sleep(5)
    expect(await ended).toBe(0)
    while (waiting()) await sleep(20)
  })
})
