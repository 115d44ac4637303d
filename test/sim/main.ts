// Simulated runs. `npm run sim` tries 10,000 seeds on two processes; `npm run sim -- --seed N --trace` shows one.
import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Violation, check } from './check.ts'
import { mustReach, reached } from './coverage.ts'
import { plants, withPlant } from './plants.ts'
import { simulate } from './world.ts'

/** What a process reports of a share of the seeds. */
interface Report {
  seed: number
  steps: number
  calls: number
  violations: Violation[]
  reached: string[]
  /** Of a seed that failed: does it fail in the same way again? */
  replays: boolean
}

const WORKERS = 2

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    plant: { type: 'string' },
    share: { type: 'string' },
  },
})

if (values.seed !== undefined) await showOne(Number(values.seed))
else if (values.share !== undefined) await work(Number(values.share))
else process.exitCode = await runAll()

async function showOne(seed: number): Promise<void> {
  const plant = plants.find(({ name }) => name === values.plant)
  const play = () => simulate(seed, { trace: values.trace })
  const history = await (plant ? withPlant(plant, play) : play())
  for (const line of history.trace) console.log(line)
  const { scenario, steps, calls, lives, ended } = history
  console.log([...scenario.behaviours].map(([name, kind]) => `${name}: ${kind}`).join(', '))
  console.log(JSON.stringify(scenario.settings))
  console.log(`${ended} after ${steps} steps, ${calls.length} model calls, ${lives} processes`)
  const violations = check(history)
  for (const { invariant, problem } of violations) console.log(`FAILED ${invariant}: ${problem}`)
  process.exitCode = violations.length > 0 ? 1 : 0
}

/** One share of the seeds: every `WORKERS`th. */
async function work(share: number): Promise<void> {
  const [from, count] = [Number(values.from), Number(values.seeds)]
  for (let seed = from + share; seed < from + count; seed += WORKERS) {
    const history = await simulate(seed)
    const violations = check(history)
    const again = violations.length > 0 ? await simulate(seed) : history
    process.send?.({
      ...{ seed, steps: history.steps, calls: history.calls.length, violations, reached: reached(history) },
      replays: JSON.stringify(again.stored) === JSON.stringify(history.stored),
    } satisfies Report)
  }
  process.disconnect?.()
}

async function runAll(): Promise<number> {
  const began = performance.now()
  const found = new Set<string>()
  const failed: Report[] = []
  const total = { seeds: 0, steps: 0, calls: 0 }
  const take = (report: Report): void => {
    total.seeds += 1
    total.steps += report.steps
    total.calls += report.calls
    for (const name of report.reached) found.add(name)
    if (report.violations.length > 0) failed.push(report)
    if (total.seeds % 1_000 === 0) console.log(`${total.seeds} seeds, ${failed.length} failed`)
  }
  const ends = await Promise.all(Array.from({ length: WORKERS }, (_, share) => startWorker(share, take)))
  const seconds = (performance.now() - began) / 1000
  for (const { seed, violations, replays } of failed.toSorted((a, b) => a.seed - b.seed)) {
    console.log(
      `\nseed ${seed} FAILED${replays ? '' : ' and does not replay identically'}: npm run sim -- --seed ${seed} --trace`,
    )
    for (const { invariant, problem } of violations.slice(0, 5)) console.log(`  ${invariant}: ${problem}`)
  }
  const missed = mustReach.filter((name) => !found.has(name))
  if (missed.length > 0 && total.seeds >= 300) console.log(`never reached: ${missed.join('; ')}`)
  console.log(
    `\n${total.seeds} seeds in ${seconds.toFixed(0)} s (${(total.seeds / seconds).toFixed(0)} seeds/s), ${total.steps} steps, ${total.calls} model calls: ${failed.length} failed`,
  )
  const complete = total.seeds === Number(values.seeds) && ends.every((code) => code === 0)
  if (!complete) console.log('not all seeds were tried')
  return failed.length > 0 || !complete ? 1 : 0
}

function startWorker(share: number, take: (report: Report) => void): Promise<number | null> {
  const child = fork(import.meta.filename, [...process.argv.slice(2), '--share', String(share)])
  child.on('message', (report) => take(report as Report))
  return new Promise((resolve) => child.on('exit', resolve))
}
