import { type Action, done, stuck } from './action.ts'
import { describeCorrections } from './corrections.ts'
import { type Place, findIdentifier } from './identifier.ts'
import { javaMoves } from './java-file.ts'
import { type RenameWork, usesIn } from './rename-work.ts'
import { describeScope } from './scope.ts'
import { looksUsed } from './searching.ts'
import { firstLine } from './seen-file.ts'
import { describeTests, testsBroke } from './test-runs.ts'
import { code, count, some } from './voice.ts'

const LISTED = 20

/** What was done, how it is known, and what was left: from the evidence, whatever was intended. */
export function reportRename(work: RenameWork): Action {
  const { intent, evidence, tests } = work
  const { from, to } = intent
  const changed = changedFiles(work)
  const unchanged = unchangedFiles(work)
  const moves = moveNotes(work)
  const total = changed.reduce((sum, { places }) => sum + places.length, 0)
  const head =
    total > 0
      ? `Renamed ${code(from)} to ${code(to)}: ${count(total, 'occurrence')} in ${count(changed.length, 'file')} (${kindsOf(changed.flatMap(({ places }) => places))}).`
      : `${code(from)} was not renamed: no file could be changed.`
  const text = [
    head,
    some(
      changed.map(({ path, places }) => `- ${path} (${places.length})`),
      LISTED,
      '\n',
    ),
    unchanged.length > 0
      ? `Not changed:\n${some(
          unchanged.map(({ path, why }) => `- ${path}: ${firstLine(why)}`),
          LISTED,
          '\n',
        )}`
      : '',
    ...moves.notes,
    checked(work, unchanged.length),
    describeTests(tests),
    leftAlone(work),
    describeCorrections(evidence.corrections, describeScope(intent.scope)),
  ]
  const answer = text.filter(Boolean).join('\n')
  if (unchanged.length > 0 || total === 0) return stuck(answer, 'failed', failureReason(unchanged, total))
  if (testsBroke(tests))
    return stuck(answer, 'needs_person', `the tests passed before the rename and fail after it`)
  if (moves.isOpen) return stuck(answer, 'needs_person', `a Java file still has its old name`)
  return done(answer, successReason(work))
}

interface Changed {
  path: string
  places: Place[]
}

function changedFiles({ targets, files, intent: { from } }: RenameWork): Changed[] {
  return targets.flatMap(({ path }) => {
    const file = files.get(path)
    if (file?.text === undefined || file.text === file.original) return []
    const before = usesIn(file.original, from, path)
    return [{ path, places: before.slice(usesIn(file.text, from, path).length) }]
  })
}

/** Given up one by one, or not tried any more after a refusal. */
function unchangedFiles({ targets, isRefused }: RenameWork): { path: string; why: string }[] {
  return targets.flatMap((file) => {
    if (file.state === 'given_up') return [{ path: file.path, why: file.why }]
    return isRefused && file.state !== 'done' ? [{ path: file.path, why: 'not tried after the refusal' }] : []
  })
}

function kindsOf(places: readonly Place[]): string {
  const names = { code: 'in code', comment: 'in comments', string: 'in strings', prose: 'in text' } as const
  return (['code', 'comment', 'string', 'prose'] as const)
    .map((kind) => ({ kind, number: places.filter((place) => place.kind === kind).length }))
    .filter(({ number }) => number > 0)
    .map(({ kind, number }) => `${number} ${names[kind]}`)
    .join(', ')
}

function checked({ intent: { from, scope }, left }: RenameWork, unchanged: number): string {
  if (!left) return ''
  if (left.failed !== undefined) return `The search afterwards failed: ${left.failed}`
  const where = describeScope(scope)
  const cut = left.cut ? ' The search stopped at its limit, so there may be more.' : ''
  return unchanged > 0
    ? `Uses of ${code(from)} are left in the files above.${cut}`
    : `A search afterwards${where && ` (${where})`} found no use of ${code(from)} left.${cut}`
}

/** Ordinary words and file names that read like the symbol, and what no search looks at. */
function leftAlone({ intent: { from }, files, uses, left, targets }: RenameWork): string {
  const spots = (left ?? uses).hits.filter((hit) => {
    const text = files.get(hit.path)?.text
    if (text === undefined) return !looksUsed(hit, from)
    return findIdentifier(text, from, hit.path).some(({ line, isUse }) => line === hit.line && !isUse)
  })
  const named = targets.filter(({ path }) => baseName(path) === from && !path.endsWith('.java'))
  return [
    spots.length > 0
      ? `Left alone, as ordinary words or file names: ${some(
          spots.map(({ path, line }) => `${path}:${line}`),
          8,
        )}.`
      : '',
    named.length > 0 ? `${named.map(({ path }) => path).join(', ')} kept the old file name.` : '',
    `Matched as a whole name, not by type; longer names that contain it, ignored and binary files were not touched.`,
  ]
    .filter(Boolean)
    .join('\n')
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')

function moveNotes({ targets, intent, evidence }: RenameWork): { notes: string[]; isOpen: boolean } {
  const moves = javaMoves(targets, intent)
  const ran = (command: string) =>
    evidence.facts.find(({ tool, input }) => tool === 'shell' && input['command'] === command)
  const notes = moves.map((command) => {
    const fact = ran(command)
    if (fact?.success) return `Moved the class file: ${code(command)}.`
    return `The class file must still be moved, as Java wants it: ${code(command)}${fact ? ` (${firstLine(fact.output)})` : ''}.`
  })
  return { notes, isOpen: moves.some((command) => !ran(command)?.success) }
}

function failureReason(unchanged: readonly { path: string; why: string }[], total: number): string {
  const [first] = unchanged
  if (!first) return 'no file was changed'
  return `${count(unchanged.length, 'file')} could not be changed (${first.path}: ${firstLine(first.why)}); ${count(total, 'occurrence')} were renamed`
}

function successReason({ intent: { from }, tests }: RenameWork): string {
  const search = `the last search found no use of ${code(from)}`
  if (tests.after?.status === 'passed') return `${search}, and ${tests.command} passed afterwards`
  if (tests.after?.status === 'failed') return `${search}; ${tests.command} failed before the change already`
  return `${search}; tests were not run`
}
