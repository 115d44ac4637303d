import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { loadConfig } from '../../config/load.ts'
import { type ConfigProblem, describeProblem } from '../../config/problem.ts'
import { readSource } from '../../config/read-source.ts'
import { neutralize } from '../../view/neutralize.ts'
import { type Args, usage } from '../args.ts'
import { describeContextPath, findContextPaths } from '../context-paths.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { findConfig, findFolder } from '../places.ts'

export async function config(args: Args): Promise<number> {
  const [what, named, ...more] = args.words
  if (what === 'check' && more.length === 0) return check(args, named)
  if (what === 'schema' && named === undefined) return printSchema()
  if (what === 'import' && named !== undefined && more.length === 0) return importFile(args, named)
  throw usage('conclave config check [file] | schema | import <massgen.yaml> [-o file]')
}

function check(args: Args, named: string | undefined): number {
  const file = named ?? findConfig(args, findFolder(args))
  if (!file) throw new Exit(exitCodes.config, 'there is no config file here')
  const loaded = loadConfig(file)
  if (!loaded.ok) throw refuse(loaded.problems, loaded.source)
  const agents = loaded.config.agents.map(({ id }) => id).join(', ')
  const { context_paths } = loaded.config.orchestrator
  const paths = findContextPaths(args, { context_paths, base: dirname(resolve(file)) }, findFolder(args))
  const lines = [
    `${file} is fine: ${agents}`,
    ...paths.map((path) => `context path ${describeContextPath(path)}`),
  ]
  process.stdout.write(neutralize(`${lines.join('\n')}\n`))
  return exitCodes.done
}

async function printSchema(): Promise<number> {
  const { configJsonSchema } = await import('../../config/json-schema.ts')
  process.stdout.write(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
  return exitCodes.done
}

/** The config goes to stdout or into a file; what could not be taken over goes to stderr. */
async function importFile(args: Args, file: string): Promise<number> {
  const target = args.value('output')
  if (target !== undefined && existsSync(target) && !args.has('force'))
    throw new Exit(exitCodes.input, `${target} is there already; --force overwrites it`)
  const read = readSource(file)
  if (!read.ok) throw refuse([read.problem], '')
  const { importMassgen } = await import('../../config/massgen/import-massgen.ts')
  const imported = importMassgen(file, read.source)
  if (!imported.ok) throw refuse(imported.problems, imported.source)
  for (const { line, column, message } of imported.notes)
    process.stderr.write(neutralize(`${file}:${line}:${column}: ${message}\n`))
  if (target === undefined) process.stdout.write(imported.yaml)
  else write(target, imported.yaml)
  if (!args.has('quiet'))
    process.stderr.write(`conclave: ${describeImport(imported.agents, imported.notes.length)}\n`)
  return exitCodes.done
}

function write(target: string, text: string): void {
  try {
    writeFileSync(target, text)
  } catch (error) {
    throw new Exit(exitCodes.input, `cannot write ${target}: ${(error as Error).message}`)
  }
}

function describeImport(agents: number, notes: number): string {
  const taken = `imported ${agents} ${agents === 1 ? 'agent' : 'agents'}`
  return notes === 0
    ? `${taken}; everything was taken over`
    : `${taken}; ${notes} notes above say what was left out`
}

const refuse = (problems: ConfigProblem[], source: string): Exit =>
  new Exit(exitCodes.config, problems.map((problem) => describeProblem(problem, source)).join('\n'))
