// What confining, taking apart and authorising a command cost. Run: sh scripts/node.sh bench/shell.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bubblewrap } from '../src/adapters/shell/bubblewrap.ts'
import { localShell } from '../src/adapters/shell/local-shell.ts'
import { sandboxShell } from '../src/adapters/shell/sandbox-shell.ts'
import { authorize } from '../src/core/policy/authorize.ts'
import type { Shell } from '../src/ports/shell.ts'
import type { ToolTraits } from '../src/schema/turn-event.ts'
import { analyzeCommand } from '../src/tools/shell-analysis.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-shell-'))
const traits: ToolTraits = { name: 'shell', read_only: false, changes: 'anything', confinable: true }
const commands = [
  'git status --short | head -5',
  'cd packages/core && npm run build 2>&1 | tail -20',
  `bash -c "grep -rn 'needle' src | sort -u" > found.txt`,
]

try {
  await benchShells()
  await benchAnalysis()
  await benchAuthorize()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The kinds take turns, so that a busy machine slows all of them alike. */
async function benchShells(): Promise<void> {
  const [probe] = await timed(async () => bubblewrap())
  report('find out whether a sandbox works', probe)
  const kinds: [string, Shell, 'read' | 'write'][] = [
    ['plain true', localShell(), 'write'],
    ['sandboxed true, read', sandboxShell(), 'read'],
    ['sandboxed true, write', sandboxShell(), 'write'],
  ]
  const times = kinds.map((): number[] => [])
  for (let round = 0; round < 60; round += 1) {
    for (const [index, [, shell, access]] of kinds.entries()) {
      const signal = new AbortController().signal
      const request = { command: 'true', cwd: folder, timeout_ms: 10_000, access, signal }
      times[index]?.push((await timed(() => shell.run(request)))[0])
    }
  }
  const plain = median(times[0] ?? [])
  for (const [index, [name]] of kinds.entries()) {
    const cost = median(times[index] ?? [])
    const bound = 3 * plain + 10
    report(
      `${name} (median)`,
      cost,
      `${(cost / plain).toFixed(2)}× plain, ${cost <= bound ? 'within' : 'OVER'} 3× + 10 ms`,
    )
  }
}

async function benchAnalysis(): Promise<void> {
  const [first] = await timed(() => analyzeCommand('ls'))
  report('take the first command apart, with loading', first)
  for (const command of commands)
    report(`take apart ${command.slice(0, 24)}…`, await each(2_000, () => analyzeCommand(command)))
  const many = Array.from({ length: 10_000 }, (_, index) => `echo ${index}`).join('; ')
  report('10,000 commands', await each(10, () => analyzeCommand(many)))
  report('a megabyte', await each(10, () => analyzeCommand('a;'.repeat(500_000))))
}

async function benchAuthorize(): Promise<void> {
  const rules = ['git *', 'npm *', 'rm *', 'curl *', '* --force*'].map((resource) => ({
    tool: 'shell',
    resource,
    action: 'ask' as const,
  }))
  for (const command of commands) {
    const call = { id: '1', name: 'shell', input: { command }, access: [await analyzeCommand(command)] }
    const settings = { mode: 'Act' as const, permission: 'ask' as const, tools: [traits], rules }
    const decide = async () => authorize(call, traits, { settings, files_changed: 0 })
    report(`authorise ${command.slice(0, 24)}…`, await each(20_000, decide))
  }
}

async function each(rounds: number, work: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < rounds / 10; round += 1) await work()
  const [all] = await timed(async () => {
    for (let round = 0; round < rounds; round += 1) await work()
  })
  return all / rounds
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
  const cost = milliseconds < 1 ? `${(milliseconds * 1000).toFixed(1)} µs` : `${milliseconds.toFixed(1)} ms`
  process.stdout.write(`${what.padEnd(44)} ${cost.padStart(9)}  ${more}\n`)
}
