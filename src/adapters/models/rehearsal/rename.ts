import { type Action, type Call, MOST_CALLS, type Step, calls, firstOf, stuck } from './action.ts'
import { renameEdits } from './edits.ts'
import type { Evidence } from './evidence.ts'
import { isIdentifier } from './identifier.ts'
import type { RenameIntent } from './intent.ts'
import { javaMoves } from './java-file.ts'
import { renamePlan } from './rename-plan.ts'
import { reportRename } from './rename-report.ts'
import { type FileWork, type RenameWork, surveyRename } from './rename-work.ts'
import { describeScope } from './scope.ts'
import { looksUsed } from './searching.ts'
import { code, some } from './voice.ts'

/** Rename a symbol everywhere: look, check that the new name is free, edit, look again, and test before and after. */
export function nextForRename(intent: RenameIntent, evidence: Evidence): Action {
  return firstOf(surveyRename(intent, evidence), steps, reportRename)
}

const steps: Step<RenameWork>[] = [
  checkNames,
  look,
  stopIfTaken,
  stopIfUnused,
  planOnly,
  learnToTest,
  testBefore,
  change,
  moveJavaFiles,
  lookAgain,
  testAfter,
]

const reserved = new Set(
  'class function return if else for while do switch case break continue new null true false import export const let var def fn func struct enum interface public private static void int try catch finally throw in is and or not this self super'.split(
    ' ',
  ),
)

function checkNames({ intent: { from, to } }: RenameWork): Action | undefined {
  if (from === to) return stuck(`${code(from)} already has that name; nothing was changed.`, 'needs_person')
  if (!isIdentifier(to)) return stuck(`${code(to)} cannot be a name; nothing was changed.`, 'needs_person')
  if (!reserved.has(to)) return undefined
  return stuck(
    `${code(to)} is a reserved word in most languages; nothing was changed. Choose another name.`,
    'needs_person',
  )
}

function look({ intent, uses, taken, tests }: RenameWork): Action | undefined {
  const missing = [...uses.missing, ...(intent.force ? [] : taken.missing)]
  if (missing.length === 0) return undefined
  const where = describeScope(intent.scope)
  const say = `Plan: find every use of ${code(intent.from)}${where && ` ${where}`}, make sure ${code(intent.to)} is free, then rename file by file and check.`
  const listing = tests.missing.filter(({ name }) => name === 'list_directory')
  return calls(say, [...missing, ...listing].slice(0, MOST_CALLS))
}

/** Renaming onto a name that is in use would merge two things into one, and nothing could tell them apart again. */
function stopIfTaken({ intent, taken, uses }: RenameWork): Action | undefined {
  const failed = uses.failed ?? (intent.force ? undefined : taken.failed)
  if (failed !== undefined) return stuck(`The search failed, so nothing was changed: ${failed}`, 'failed')
  if (intent.force) return undefined
  const clashes = taken.hits.filter((hit) => !hit.clipped && looksUsed(hit, intent.to))
  if (clashes.length === 0) return undefined
  const places = clashes.map(({ path, line }) => `${path}:${line}`)
  const reason = `${code(intent.to)} is already in use at ${some(places, 5)}`
  return stuck(
    `Nothing was changed: ${reason}. Renaming ${code(intent.from)} to it would merge two different things. Choose another name, or say "rename ${intent.from} to ${intent.to} anyway".`,
    'needs_person',
    reason,
  )
}

function stopIfUnused({ intent, targets, uses }: RenameWork): Action | undefined {
  if (targets.length > 0) return undefined
  const where = describeScope(intent.scope)
  const words = uses.hits.map(({ path, line }) => `${path}:${line}`)
  const only = words.length > 0 ? ` It occurs only as an ordinary word: ${some(words, 5)}.` : ''
  return stuck(
    `I found no use of ${code(intent.from)}${where && ` ${where}`}, so nothing was changed.${only} Names are matched exactly, upper and lower case included.`,
    'needs_person',
    `no use of ${code(intent.from)} was found`,
  )
}

function planOnly(work: RenameWork): Action | undefined {
  return work.evidence.offered.has('update_file') ? undefined : { kind: 'plan', plan: renamePlan(work) }
}

/** The first files are read in the same reply as what says how to test. */
function learnToTest({ tests, targets }: RenameWork): Action | undefined {
  if (tests.missing.length === 0) return undefined
  const list = [...tests.missing, ...reads(targets)].slice(0, MOST_CALLS)
  return calls(`Reading how this project is tested, and the files to change.`, list)
}

function testBefore({ tests: { command, before, after } }: RenameWork): Action | undefined {
  if (command === undefined || before || after) return undefined
  return calls(`Running ${code(command)} before changing anything, to compare afterwards.`, [shell(command)])
}

/** Edits what has been read and reads what comes next, in one reply. */
function change({ intent, targets, isRefused }: RenameWork): Action | undefined {
  if (isRefused) return undefined
  const ready = targets.flatMap((file) => (file.state === 'ready' ? [file] : [])).slice(0, MOST_CALLS)
  const edits = ready.map(({ path, text }): Call => {
    const input = { path, edits: renameEdits(text, intent.from, intent.to, path) }
    return { name: 'update_file', input }
  })
  const next = reads(targets)
  const say = [
    edits.length > 0
      ? `Renaming in ${some(
          ready.map(({ path }) => path),
          4,
        )}.`
      : '',
    next.length > 0
      ? `Reading ${some([...new Set(next.map(({ input }) => String(input['path'])))], 4)}.`
      : '',
  ]
  return calls(say.filter(Boolean).join(' '), [...edits, ...next])
}

/** Java wants a public class in a file of its name. The command keeps the bytes as they are. */
function moveJavaFiles({ intent, targets, evidence }: RenameWork): Action | undefined {
  if (!evidence.offered.has('shell')) return undefined
  const moves = javaMoves(targets, intent).filter(
    (command) => !evidence.facts.some(({ tool, input }) => tool === 'shell' && input['command'] === command),
  )
  return calls(`Java wants a class in a file of its own name.`, moves.slice(0, MOST_CALLS).map(shell))
}

function lookAgain({ intent, left }: RenameWork): Action | undefined {
  return left && calls(`Checking that no use of ${code(intent.from)} is left.`, left.missing)
}

function testAfter({ left, tests: { command, before, after } }: RenameWork): Action | undefined {
  const isComparable = before !== undefined && before.status !== 'not_run'
  if (!left || command === undefined || !isComparable || after) return undefined
  return calls(`Running ${code(command)} again.`, [shell(command)])
}

/** A long file is read several pages at once, as far as their number is known. */
function reads(targets: readonly FileWork[]): Call[] {
  const list: Call[] = []
  for (const file of targets) {
    if (file.state !== 'unread') continue
    if (file.next === 1) list.push({ name: 'read_file', input: { path: file.path } })
    else
      for (let page = 0; page < file.ahead; page++) {
        list.push({ name: 'read_file', input: { path: file.path, offset: file.next + page * PAGE } })
      }
    if (list.length >= MOST_CALLS) break
  }
  return list.slice(0, MOST_CALLS)
}

/** Lines the read tool returns when not told otherwise. */
const PAGE = 2_000

const shell = (command: string): Call => ({ name: 'shell', input: { command } })
