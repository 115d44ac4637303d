import { type Call, MOST_CALLS } from './action.ts'
import { type Evidence, type Fact, isWrite } from './evidence.ts'
import { type SeenFile, isRefusal } from './seen-file.ts'
import { manifests, testCommand } from './test-command.ts'
import { readListing } from './tool-output.ts'
import { code, some } from './voice.ts'

export type TestResult =
  | { status: 'passed' }
  | { status: 'failed'; lines: string[] }
  | { status: 'not_run'; why: string }

/** What is known about the project's tests. */
export interface TestRuns {
  /** Reads still needed to know how to test. */
  missing: Call[]
  command?: string
  before?: TestResult
  after?: TestResult
}

export function readTestRuns({ facts, offered }: Evidence, files: ReadonlyMap<string, SeenFile>): TestRuns {
  const canTest = ['shell', 'list_directory', 'read_file'].every((tool) => offered.has(tool))
  if (!canTest) return { missing: [] }
  const listing = facts.find(({ tool, input }) => tool === 'list_directory' && input['path'] === '.')
  if (!listing) return { missing: [{ name: 'list_directory', input: { path: '.' } }] }
  const names = new Set(readListing(listing.output).entries.map(({ path }) => path))
  const unread = manifests.filter((name) => names.has(name) && !files.has(name))
  if (unread.length > 0) {
    return { missing: unread.slice(0, MOST_CALLS).map((path) => ({ name: 'read_file', input: { path } })) }
  }
  const command = testCommand(
    names,
    (name) => files.get(name)?.original ?? files.get(name)?.partial?.lines.join('\n'),
  )
  if (command === undefined) return { missing: [] }
  return { missing: [], command, ...runsOf(command, facts) }
}

export function describeTests({ command, before, after }: TestRuns): string {
  if (command === undefined) return ''
  const name = code(command)
  if (!before) return `${name} was not run.`
  if (before.status === 'not_run') return `${name} was not run: ${before.why}`
  if (!after) return `${name} ${before.status} before; it was not run again because nothing was changed.`
  if (after.status === 'not_run')
    return `${name} ${before.status} before; afterwards it was not run: ${after.why}`
  if (after.status === 'passed')
    return before.status === 'passed'
      ? `${name} passed before and after.`
      : `${name} failed before and passes now.`
  const lines = after.lines.map((line) => `    ${line}`).join('\n')
  return before.status === 'passed'
    ? `The tests broke: ${name} passed before and fails now.\n${lines}`
    : `${name} failed before the change already, and still fails.\n${lines}`
}

export const testsBroke = ({ before, after }: TestRuns): boolean =>
  before?.status === 'passed' && after?.status === 'failed'

function runsOf(command: string, facts: readonly Fact[]): Pick<TestRuns, 'before' | 'after'> {
  const isRun = ({ tool, input }: Fact): boolean => tool === 'shell' && input['command'] === command
  const changed = (fact: Fact): boolean => isWrite(fact) && fact.success
  const firstChange = facts.findIndex(changed)
  const before = facts.slice(0, firstChange === -1 ? undefined : firstChange).find(isRun)
  const after = firstChange === -1 ? undefined : facts.slice(facts.findLastIndex(changed)).findLast(isRun)
  return { ...(before && { before: resultOf(before) }), ...(after && { after: resultOf(after) }) }
}

function resultOf({ success, output }: Fact): TestResult {
  if (success) return { status: 'passed' }
  if (isRefusal(output)) return { status: 'not_run', why: firstSentence(output) }
  if (/^exit code 127$/m.test(output))
    return { status: 'not_run', why: 'the program it needs is not installed.' }
  if (/^(?:Interrupted\b|cancelled$|ended by )/m.test(output))
    return { status: 'not_run', why: 'it was ended before it was done.' }
  return { status: 'failed', lines: failingLines(output) }
}

const failure =
  /\bnot ok\b|✖|✗|\bFAIL(?:ED|URE)?\b|error\b|\bfailed\b|panicked|assert|exception|undefined|cannot find/i

function failingLines(output: string): string[] {
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
  const telling = lines.filter((line) => failure.test(line))
  const shown = (telling.length > 0 ? telling : lines.slice(-8)).map((line) => line.trim().slice(0, 200))
  return some([...new Set(shown)], 8, '\n').split('\n')
}

const firstSentence = (text: string): string => text.trim().split('\n', 1)[0] ?? ''
