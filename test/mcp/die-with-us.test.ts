import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import type { Tether } from '../../src/adapters/mcp/server-process.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder } from '../support/workbench.ts'
import { connect, eventually, hostileServer, processesWith } from './support.ts'

/** Starts a process that connects six stubborn servers, and kills it. Says how many processes there were, and are left. */
async function killTheHost(tether: Tether): Promise<{ before: number; left: number[] }> {
  const folder = temporaryFolder()
  const mark = `TETHER_TEST=${tether}-${process.pid}-${Date.now()}`
  const host = spawn(process.execPath, [join(import.meta.dirname, 'host.ts'), tether, folder, mark], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    host.kill('SIGKILL')
    for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL')
  })
  const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string]
  expect(line).toBe('24 tools, 0 problems')
  // Six servers, each with a daemon in a session of its own.
  expect(await eventually(() => processesWith(mark).length >= 12, 10_000)).toBe(true)
  const before = processesWith(mark).length
  host.kill('SIGKILL')
  await once(host, 'exit')
  await eventually(() => processesWith(mark).length === 0, 5_000)
  return { before, left: processesWith(mark) }
}

async function leavesNothing(tether: Tether): Promise<void> {
  const { before, left } = await killTheHost(tether)
  expect(before).toBeGreaterThanOrEqual(12)
  expect(left).toEqual([])
}

testWith('bwrap', '#13 kill -9 of us leaves no process of a stubborn server, in bwrap', () =>
  leavesNothing('bwrap'),
)

test.runIf(process.platform === 'linux')(
  '#13 kill -9 of us leaves no process of a stubborn server, with the watchdog',
  () => leavesNothing('watchdog'),
)

test.runIf(process.platform === 'linux')('#13 control: without a tether such servers live on', async () => {
  const { left } = await killTheHost('none')
  expect(left.length).toBeGreaterThanOrEqual(12)
})

async function closeStubborn(tether: Tether): Promise<void> {
  const mark = `TETHER_CLOSE=${tether}-${process.pid}-${Date.now()}`
  const [name = '', value = ''] = mark.split('=')
  const desk = await connect({ s: { ...hostileServer('stubborn'), env: { [name]: value } } }, { tether })
  expect(desk.problems).toEqual([])
  expect(await eventually(() => processesWith(mark).length >= 2, 10_000)).toBe(true)
  await desk.close()
  await eventually(() => processesWith(mark).length === 0, 2_000)
  expect(processesWith(mark)).toEqual([])
}

async function startMissing(tether: Tether): Promise<void> {
  const { problems } = await connect({ gone: { command: 'no-such-program' } }, { tether })
  expect(problems).toEqual([expect.stringContaining('no-such-program')])
}

testWith('bwrap', 'closing ends a stubborn server and its daemon, in bwrap', async () => {
  await closeStubborn('bwrap')
  await startMissing('bwrap')
})

test.runIf(process.platform === 'linux')(
  'closing ends a stubborn server and its daemon, with the watchdog',
  async () => {
    await closeStubborn('watchdog')
    await startMissing('watchdog')
    await startMissing('none')
  },
)
