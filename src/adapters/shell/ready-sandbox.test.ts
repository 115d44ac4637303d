import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { testWith } from '../../../test/support/needs.ts'
import { temporaryFolder } from '../../../test/support/workbench.ts'
import { sandboxShell } from './sandbox-shell.ts'

const run = (cwd: string, command: string, ahead: boolean) =>
  sandboxShell({ ahead }).run({
    command,
    cwd,
    timeout_ms: 20_000,
    access: 'read',
    signal: new AbortController().signal,
  })

describe('a sandbox started ahead of its command', () => {
  testWith('bwrap', 'does what one started for it does', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a b.txt'), 'grüße\n')
    const commands = [
      'cat "a b.txt"',
      'echo out; echo err >&2; exit 3',
      'printf \'two\nlines\\n\'; echo "$0 $BASH_EXECUTION_STRING"',
      'cat; echo end of input',
      'echo x > new; ls',
      'cat < /dev/tcp/127.0.0.1/9',
      'kill -9 $$',
      '',
    ]
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
