import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { localShell } from '../../../src/adapters/shell/local-shell.ts'
import { sandboxShell } from '../../../src/adapters/shell/sandbox-shell.ts'
import type { Shell, ShellRequest } from '../../../src/ports/shell.ts'
import { testWith } from '../../support/needs.ts'
import { temporaryFolder } from '../../support/workbench.ts'

const LIMIT_MS = 600

const run = (shell: Shell, command: string, more: Partial<ShellRequest> = {}) =>
  shell.run({
    command,
    cwd: temporaryFolder(),
    timeout_ms: LIMIT_MS,
    access: 'write',
    signal: new AbortController().signal,
    ...more,
  })

/** Processes of this machine with this text in their command line. */
function running(text: string): number[] {
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && commandLine(pid).includes(text))
}

function commandLine(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

/** Those left after at most two seconds. */
async function survivors(text: string): Promise<number[]> {
  for (let round = 0; round < 100 && running(text).length > 0; round += 1) await sleep(20)
  return running(text)
}

const shells: [string, () => Shell][] = [
  ['confined', () => sandboxShell()],
  ['local', () => localShell()],
]

let mark = 1_000_000 + (process.pid % 100_000) * 10

describe('security 12: a command that does not end by itself is ended', () => {
  for (const [kind, shell] of shells) {
    testWith('bwrap', `${kind}: endless output is capped and cut off`, async () => {
      let live = 0
      const onOutput = (text: string): void => void (live += text.length)
      const result = await run(shell(), 'yes', { onOutput })
      expect(result.ended_by).toBe('timeout')
      expect(result.output.length).toBeLessThan(60_000)
      expect(live).toBeLessThan(1_300_000)
    })

    testWith('bwrap', `${kind}: gigabytes go by in little memory`, async () => {
      const before = process.memoryUsage().rss
      let bytes = 0
      const result = await run(shell(), 'head -c 300000000 /dev/zero', {
        timeout_ms: 60_000,
        onBytes: (chunk) => void (bytes += chunk.length),
      })
      expect([result.exit_code, bytes]).toEqual([0, 300_000_000])
      expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
    })

    testWith('bwrap', `${kind}: there is no input to wait for`, async () => {
      expect(await run(shell(), 'cat; read -r x; echo "$?"')).toEqual({ exit_code: 0, output: '1\n' })
    })

    testWith('bwrap', `${kind}: a daemon in a session of its own ends with the command`, async () => {
      mark += 1
      await run(shell(), `setsid setsid sleep ${mark} >/dev/null 2>&1 & sleep 0.2; echo begun`)
      expect(await survivors(`${mark}`)).toEqual([])
      mark += 1
      const result = await run(
        shell(),
        `trap '' TERM; (setsid sleep ${mark} &) ; sleep ${mark}; sleep ${mark}`,
      )
      expect(result.ended_by).toBe('timeout')
      expect(await survivors(`${mark}`)).toEqual([])
    })

    testWith('bwrap', `${kind}: cancelled in the middle, the whole tree is gone`, async () => {
      mark += 1
      const cancel = new AbortController()
      const result = await run(
        shell(),
        `for i in 1 2 3; do (sleep ${mark} & wait) & done; echo begun; wait`,
        {
          timeout_ms: 20_000,
          signal: cancel.signal,
          onOutput: () => cancel.abort(),
        },
      )
      expect(result.ended_by).toBe('cancel')
      expect(await survivors(`${mark}`)).toEqual([])
    })
  }

  testWith('bwrap', 'confined: a fork bomb is bounded and goes with the sandbox', async () => {
    mark += 1
    const bomb = `f() { f | f & sleep ${mark}; }; f; sleep ${mark}`
    const result = await run(sandboxShell(), bomb, { access: 'read', timeout_ms: 300 })
    expect(result.ended_by).toBe('timeout')
    expect(await survivors(`${mark}`)).toEqual([])
  })

  test('the witness for survivors sees a process that lives', async () => {
    mark += 1
    const child = spawn('sleep', [`${mark}`])
    await sleep(50)
    expect(running(`${mark}`)).toEqual([child.pid])
    child.kill('SIGKILL')
    expect(await survivors(`${mark}`)).toEqual([])
  })
})
