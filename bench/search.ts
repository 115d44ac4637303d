// What search_code costs beside ripgrep itself, in one tree of many files. Run: sh scripts/node.sh bench/search.ts [files]
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFiles } from '../src/adapters/files/gateway.ts'
import { localShell } from '../src/adapters/shell/local-shell.ts'
import { ripgrepProgram } from '../src/tools/ripgrep.ts'
import { searchCode } from '../src/tools/search-code.ts'
import type { ToolContext } from '../src/tools/tool.ts'

const ROUNDS = 9
const files = Number(process.argv[2] ?? 100_000)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-bench-search-')))

for (let index = 0; index < files; index++) {
  const at = join(folder, `d${index % 1_000}`)
  if (index < 1_000) mkdirSync(at)
  writeFileSync(
    join(at, `f${index}.txt`),
    `line one of ${index}\nnothing to see\n${index % 2_000 === 0 ? 'needle\n' : ''}`,
  )
}

const context: ToolContext = {
  files: openFiles(folder),
  shell: localShell(),
  signal: new AbortController().signal,
  confined: false,
  call_id: 'call_1',
  onOutput: () => {},
  explore: () => Promise.reject(new Error('not here')),
}

const bare: number[] = []
const tool: number[] = []
for (let round = 0; round <= ROUNDS; round++) {
  const one = await measure(async () => {
    spawnSync(ripgrepProgram() ?? 'rg', ['--no-config', '-n', '-F', '--', 'needle', '.'], { cwd: folder })
  })
  const two = await measure(() => searchCode.run({ pattern: 'needle' }, context))
  // The first round warms the file cache.
  if (round > 0) {
    bare.push(one)
    tool.push(two)
  }
}
rmSync(folder, { recursive: true })
const [rg, ours] = [median(bare), median(tool)]
console.log(
  `${files} files: rg ${rg.toFixed(0)} ms, search_code ${ours.toFixed(0)} ms, ${(ours / rg).toFixed(2)}× rg`,
)

async function measure(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
