// What containers cost. Run where a daemon has an image with a shell: sh scripts/node.sh bench/docker.ts <image>
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openContainers } from '../src/adapters/docker/open-containers.ts'
import type { Containers } from '../src/ports/container.ts'
import { dockerDefaults } from '../src/schema/docker-settings.ts'
import type { Reach } from '../src/schema/reach.ts'

const ROUNDS = 15
/** While the next process is started ahead, a model thinks at least this long. */
const THINKING_MS = 300

const image = process.argv[2] ?? dockerDefaults.image
const opened = await openContainers({ settings: { ...dockerDefaults, image } })
if ('failure' in opened) throw new Error(opened.failure.message)
const { containers } = opened
const [workspace, context] = ['workspace', 'context'].map((name) =>
  realpathSync(mkdtempSync(join(tmpdir(), `conclave-bench-${name}-`))),
) as [string, string]
const reach = (permission: 'read' | 'write'): Reach => ({
  root: workspace,
  root_access: 'write',
  context: [{ path: context, permission, protected_paths: [] }],
})

try {
  await benchCommands(containers)
  await benchRecreation(containers)
} finally {
  await containers.close()
  rmSync(workspace, { recursive: true, force: true })
  rmSync(context, { recursive: true, force: true })
}

/** The kinds take turns, so that a busy machine slows all of them alike. */
async function benchCommands(containers: Containers): Promise<void> {
  const shell = containers.shell({ key: 'bench', reach: reach('read') })
  const run = () =>
    shell.run({
      command: 'true',
      cwd: workspace,
      timeout_ms: 60_000,
      access: 'write',
      signal: new AbortController().signal,
    })
  const [first] = await timed(run)
  const made = await containers.recreate('bench', reach('read'))
  if (!made.ready) throw new Error(made.failure.message)
  const times = { ahead: [] as number[], atOnce: [] as number[], plain: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(THINKING_MS)
    times.ahead.push((await timed(run))[0])
    times.atOnce.push((await timed(run))[0])
    await sleep(THINKING_MS)
    times.plain.push((await timed(async () => execFileSync('docker', ['exec', made.container, 'true'])))[0])
  }
  const plain = median(times.plain)
  report('docker exec … true', plain)
  report(
    'the same in an agent’s shell',
    median(times.ahead),
    `${(median(times.ahead) / plain).toFixed(2)}× docker exec`,
  )
  report(
    'the same right after another',
    median(times.atOnce),
    `${(median(times.atOnce) / plain).toFixed(2)}×`,
  )
  report('the first, with its container', first)
}

async function benchRecreation(containers: Containers): Promise<void> {
  const times = { ours: [] as number[], plain: [] as number[] }
  const start = () =>
    execFileSync('docker', ['run', '-di', '--network=none', image, 'sh'], { encoding: 'utf8' }).trim()
  let plain = start()
  for (let round = 0; round < ROUNDS; round += 1) {
    const [cost, made] = await timed(() =>
      containers.recreate('bench', reach(round % 2 === 0 ? 'write' : 'read')),
    )
    if (!made.ready) throw new Error(made.failure.message)
    times.ours.push(cost)
    await sleep(THINKING_MS)
    const again = async () => {
      execFileSync('docker', ['rm', '-f', plain])
      plain = start()
    }
    times.plain.push((await timed(again))[0])
  }
  execFileSync('docker', ['rm', '-f', plain])
  const [ours, base] = [median(times.ours), median(times.plain)]
  report('docker rm, docker run', base)
  report('from presentation to a writable container', ours, `${(ours / base).toFixed(2)}×`)
}

async function timed<T>(work: () => Promise<T>): Promise<[milliseconds: number, result: T]> {
  const start = performance.now()
  const result = await work()
  return [performance.now() - start, result]
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}

function report(what: string, milliseconds: number, more = ''): void {
  process.stdout.write(`${what.padEnd(44)} ${`${milliseconds.toFixed(1)} ms`.padStart(9)}  ${more}\n`)
}
