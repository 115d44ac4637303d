import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ChatReply, type ChatRequest, chatServer } from '../support/chat-server.ts'
import { testWith } from '../support/needs.ts'
import { Program, serverConfig } from '../support/program.ts'
import { TerminalSession } from '../support/terminal.ts'
import budgets from './budgets.json' with { type: 'json' }

// Counts, not seconds: they are the same on a busy machine. What each budget is for stands beside it.

const root = join(import.meta.dirname, '../..')
const TURNS = 20

test('--version and --help load next to nothing', async () => {
  for (const what of ['version', 'help'] as const) {
    const program = new Program()
    const { code } = await program.run([`--${what}`], { env: noteLoads(program) })
    expect(code).toBe(0)
    const { files, kilobytes } = sum(readLoads(program))
    expect(files).toBeGreaterThan(0)
    expect(files, `files of --${what}`).toBeLessThanOrEqual(budgets[what].files)
    expect(kilobytes, `kilobytes of --${what}`).toBeLessThanOrEqual(budgets[what].kilobytes)
  }
})

test('a headless run loads little before its first request, and that request is small', async () => {
  const program = new Program()
  let before: Line[] = []
  const server = await chatServer(() => {
    before = readLoads(program)
    return { text: 'hello' }
  })
  program.configure(serverConfig(server.base_url))
  // The first run checks the config and keeps it checked.
  await program.run(['-p', 'hello'])
  const { code, stdout, stderr } = await program.run(['-p', 'hello'], { env: noteLoads(program) })
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'hello\n', stderr: '' })

  const budget = budgets.first_request
  const { files, kilobytes } = sum(before)
  expect(files).toBeGreaterThan(0)
  expect(files, names(before)).toBeLessThanOrEqual(budget.files)
  expect(kilobytes).toBeLessThanOrEqual(budget.kilobytes)
  expect(tokensOf(server.requests[1])).toBeLessThanOrEqual(budget.tokens)
  const last = readLoads(program).at(-1)
  expect(last?.fetch).toBe(budget.fetch)
  expect(last?.memory_mb).toBeLessThanOrEqual(budget.memory_mb)
})

test('the terminal UI loads little before its first frame', async () => {
  const program = new Program()
  program.configure(serverConfig('http://127.0.0.1:9/v1'))
  const session = new TerminalSession(program, [], { env: noteLoads(program) })
  const framed = (): number => readLoads(program).findIndex(({ frame }) => frame === true)
  await expect.poll(framed, { timeout: 20_000 }).toBeGreaterThan(0)
  session.type('\u0004')
  const before = readLoads(program).slice(0, framed())
  const { files, kilobytes } = sum(before)
  expect(files, names(before)).toBeLessThanOrEqual(budgets.first_frame.files)
  expect(kilobytes).toBeLessThanOrEqual(budgets.first_frame.kilobytes)
})

test('each request of 20 turns is the one before and a tail', async () => {
  const program = new Program({ 'a.txt': 'a\n' })
  const server = await chatServer(lookAt('a.txt'))
  program.configure(serverConfig(server.base_url))
  const { code, stderr } = await program.run(look)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(server.requests).toHaveLength(TURNS + 1)
  const rewrites = server.requests
    .slice(1)
    .filter((request, index) => !extend(server.requests[index], request))
  expect(rewrites).toHaveLength(budgets.turn.history_rewrites)
})

testWith(['strace', 'bwrap'], 'a turn syncs the disk twice and starts few programs', async () => {
  const program = new Program({ 'a.txt': 'a\n' })
  const count = async (turns: number): Promise<{ syncs: number; programs: number }> => {
    const server = await chatServer(lookAt('a.txt', turns))
    program.configure(serverConfig(server.base_url))
    const trace = join(program.home, 'trace')
    const launcher = join(root, 'bin/conclave')
    const { code } = await program.shell(
      `strace -f -qq -e trace=fsync,fdatasync,execve -o '${trace}' '${launcher}' ${look.map((arg) => `'${arg}'`).join(' ')}`,
    )
    expect(code).toBe(0)
    const lines = readFileSync(trace, 'utf8').split('\n')
    return {
      syncs: lines.filter((line) => /\bf(data)?sync\(/u.test(line)).length,
      programs: lines.filter((line) => /\bexecve\(.* = 0$|execve resumed.* = 0$/u.test(line)).length,
    }
  }
  // The first run makes the journal.
  await count(0)
  const [few, many] = [await count(2), await count(8)]
  const each = (what: 'syncs' | 'programs'): number => (many[what] - few[what]) / 6
  // Fewer would mean that something is not on disk when it should be.
  expect(each('syncs')).toBe(budgets.turn.syncs)
  expect(each('programs')).toBeLessThanOrEqual(budgets.turn.programs)
})

test('what people install is small', () => {
  const { dependencies, optionalDependencies, files } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as { dependencies?: object; optionalDependencies: object; files: string[] }
  expect(dependencies).toBeUndefined()
  // Of each, npm takes the one for the machine: a search program, and a Node where there is none to use.
  const optional = Object.keys(optionalDependencies).filter(
    (name) => !/^@vscode\/ripgrep-|^node-/u.test(name),
  )
  expect(optional).toEqual([])
  const packed = execFileSync(
    'find',
    ['-L', ...files.filter((name) => existsSync(join(root, name))), '-type', 'f'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const paths = packed.trim().split('\n')
  const bytes = paths.reduce((total, path) => total + statSync(join(root, path)).size, 0)
  const programs = paths.filter((path) => !path.endsWith('.d.ts'))
  expect(programs.length).toBeLessThanOrEqual(budgets.package.files)
  expect(bytes / 1e6).toBeLessThanOrEqual(budgets.package.megabytes)
})

interface Line {
  file?: string
  bytes?: number
  frame?: boolean
  memory_mb?: number
  fetch?: boolean
}

const look = ['-p', 'look at the files', '--permission-mode', 'auto', '--on-pending', 'approve']

const noteLoads = ({ home }: Program): Record<string, string> => ({
  NODE_OPTIONS: `--require=${join(import.meta.dirname, 'note-loads.cjs')}`,
  CONCLAVE_TEST_LOADS: join(home, 'loads'),
})

function readLoads({ home }: Program): Line[] {
  const path = join(home, 'loads')
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Line)
}

function sum(lines: readonly Line[]): { files: number; kilobytes: number } {
  const loaded = lines.filter(({ file }) => file !== undefined)
  return { files: loaded.length, kilobytes: loaded.reduce((total, { bytes = 0 }) => total + bytes, 0) / 1024 }
}

const names = (lines: readonly Line[]): string =>
  lines.map(({ file, bytes }) => `${bytes} ${file}`).join('\n')

/** As the harness that compares programs estimates it: four characters a token. */
function tokensOf(request: ChatRequest | undefined): number {
  const system = request?.messages.filter(({ role }) => role === 'system') ?? []
  return (JSON.stringify(system).length + JSON.stringify(request?.tools ?? []).length) / 4
}

/** Another command each time, for the same one again would be noticed. */
function lookAt(file: string, turns = TURNS): (request: ChatRequest) => ChatReply {
  return ({ messages }) => {
    const done = messages.filter(({ role }) => role === 'tool').length
    return done < turns
      ? { call: { name: 'shell', arguments: { command: `head -n ${done + 1} ${file}` } } }
      : { text: 'done' }
  }
}

function extend(before: ChatRequest | undefined, after: ChatRequest): boolean {
  if (!before || JSON.stringify(before.tools) !== JSON.stringify(after.tools)) return false
  return before.messages.every(
    (message, index) => JSON.stringify(message) === JSON.stringify(after.messages[index]),
  )
}
