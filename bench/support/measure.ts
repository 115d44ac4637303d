import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Cost {
  wall_ms: number
  /** Of the program and all it has started. */
  cpu_ms: number
  memory_mb: number
  code: number | null
  output: string
}

const TIME = '/usr/bin/time'

/** Runs a program to its end and says what it took. */
export async function measure(
  command: string[],
  { cwd, env, scratch }: { cwd: string; env: Record<string, string>; scratch: string },
): Promise<Cost> {
  if (!existsSync(TIME))
    throw new Error(`${TIME} is not installed; it tells what a program and its children used`)
  const report = join(scratch, 'time')
  const began = performance.now()
  const child = spawn(TIME, ['-q', '-f', '%U %S %M', '-o', report, ...command], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  const wall_ms = performance.now() - began
  const [user = 0, system = 0, kilobytes = 0] = readFileSync(report, 'utf8').trim().split(' ').map(Number)
  rmSync(report)
  return { wall_ms, cpu_ms: (user + system) * 1000, memory_mb: kilobytes / 1024, code, output }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
