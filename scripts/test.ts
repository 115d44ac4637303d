import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseCLI, startVitest } from 'vitest/node'
import type { TestModule } from 'vitest/node'

// `npm test`: builds the program, runs the tests (arguments go to vitest), says what this machine left out, counts.

const root = path.join(import.meta.dirname, '..')

process.chdir(root)
process.exit(await main(process.argv.slice(2)))

async function main(args: string[]): Promise<number> {
  const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  if (build.status !== 0) {
    console.log('the build failed, so no test was run\n0 passed, 1 failed')
    return 1
  }
  const { filter, options } = parseCLI(['vitest', 'run', ...args])
  const vitest = await startVitest(filter, { ...options, watch: false })
  const modules = vitest.state.getTestModules()
  const count = tally(modules, vitest.state.getUnhandledErrors().length)
  await vitest.close()

  for (const line of leftOutLines(modules)) console.log(line)
  if (count.passed + count.failed === 0) console.log('no test was run')
  console.log(countLine(count))
  return count.failed > 0 || count.passed === 0 ? 1 : 0
}

interface Count {
  passed: number
  failed: number
  skipped: number
}

/** What broke outside a test (a file, a suite, a stray promise) is one failure more: tests may never have been registered. */
function tally(modules: TestModule[], unhandledErrors: number): Count {
  const count = { passed: 0, failed: unhandledErrors, skipped: 0 }
  for (const module of modules) {
    for (const part of [module, ...module.children.allSuites()])
      if (part.errors().length > 0) count.failed += 1
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'pending') count.failed += 1
      else count[state] += 1
    }
  }
  return count
}

function countLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

function leftOutLines(modules: TestModule[]): string[] {
  const byNeed = new Map<string, string[]>()
  for (const module of modules) {
    for (const test of module.children.allTests('skipped')) {
      for (const { need, remedy } of test.meta().leftOut ?? []) {
        const heading = `left out, needs ${need} (${remedy}):`
        byNeed.set(heading, [...(byNeed.get(heading) ?? []), test.fullName])
      }
    }
  }
  return [...byNeed].flatMap(([heading, titles]) => [heading, ...titles.map((title) => `  ${title}`)])
}
