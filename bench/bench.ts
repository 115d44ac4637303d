// All benchmarks. Run: npm run bench            ourselves beside the floor and the installed peers
//                      npm run bench -- engine  what the parts of the engine cost
//                      npm run bench -- list    each by its name, and npm run bench -- <name> runs it
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** In this order: commits and reading, resuming, folding, teams, streaming, commands, searching. */
const ENGINE = [
  'journal',
  'open-chat',
  'session',
  'memory',
  'team',
  'sse',
  'shell',
  'search',
  'storm',
  'workspace',
]

const names = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts') && name !== 'bench.ts')
  .map((name) => name.slice(0, -'.ts'.length))

const [what = 'peers', ...rest] = process.argv.slice(2)
if (what === 'list') for (const name of names) console.log(`${name.padEnd(12)} ${firstLine(name)}`)
else process.exitCode = runAll(what === 'engine' ? ENGINE.filter((name) => names.includes(name)) : [what])

function runAll(chosen: readonly string[]): number {
  let code = 0
  for (const name of chosen) {
    if (!names.includes(name) && !/^\d+$/u.test(name)) {
      console.error(`there is no benchmark ${name}; npm run bench -- list names them`)
      return 1
    }
    // A number alone is how often the peers are measured.
    const [script, args] = names.includes(name) ? [name, rest] : ['peers', [name]]
    if (chosen.length > 1) console.log(`\n${script}: ${firstLine(script)}`)
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${script}.ts`), ...args], {
      stdio: 'inherit',
    })
    code ||= status ?? 1
  }
  return code
}

function firstLine(name: string): string {
  const [line = ''] = readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8').split('\n', 1)
  return line.replace(/^\/\/ /u, '').replace(/ Run: .*/u, '')
}
