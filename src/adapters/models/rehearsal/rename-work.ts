import { type Evidence, type Fact, isWrite } from './evidence.ts'
import { type Place, findIdentifier } from './identifier.ts'
import type { RenameIntent } from './intent.ts'
import { type Search, looksUsed, searchFor } from './searching.ts'
import { type SeenFile, isInterruption, isRefusal, seenFiles } from './seen-file.ts'
import { type TestRuns, readTestRuns } from './test-runs.ts'
import { type Hit, normal } from './tool-output.ts'

/** Everything the steps of a rename look at, worked out from the evidence. */
export interface RenameWork {
  intent: RenameIntent
  evidence: Evidence
  /** Uses of the old name before anything was changed, and of the new one. */
  uses: Search
  taken: Search
  /** Uses of the old name after the last change; absent while nothing was changed. */
  left?: Search
  files: ReadonlyMap<string, SeenFile>
  /** Files to be changed, in the order they were found. */
  targets: FileWork[]
  tests: TestRuns
  /** Every edit that was tried was refused: more of them would be a way around it. */
  isRefused: boolean
}

export type FileWork = { path: string } & (
  | { state: 'unread'; next: number; ahead: number }
  | { state: 'ready'; text: string }
  | { state: 'done' }
  | { state: 'given_up'; why: string }
)

export function surveyRename(intent: RenameIntent, evidence: Evidence): RenameWork {
  const { facts } = evidence
  const files = seenFiles(facts)
  const lastChange = facts.findLastIndex(isChange)
  const left = lastChange === -1 ? undefined : searchFor(intent.from, intent.scope, facts, lastChange)
  const uses = searchFor(intent.from, intent.scope, facts)
  const updates = facts.filter(({ tool }) => tool === 'update_file')
  return {
    intent,
    evidence,
    uses,
    taken: searchFor(intent.to, intent.scope, facts),
    ...(left && { left }),
    files,
    targets: targetPaths(intent, facts).map((path) =>
      stateOf(path, files.get(path), intent.from, left?.hits ?? []),
    ),
    tests: readTestRuns(evidence, files),
    isRefused: updates.length > 0 && updates.every(({ success, output }) => !success && isRefusal(output)),
  }
}

export const isChange = (fact: Fact): boolean => isWrite(fact) && fact.success

export const usesIn = (text: string | undefined, name: string, path: string): Place[] =>
  text === undefined ? [] : findIdentifier(text, name, path).filter(({ isUse }) => isUse)

/** Files that any search so far showed to use the old name, and files of that scope we already changed. */
function targetPaths({ from, scope }: RenameIntent, facts: readonly Fact[]): string[] {
  const found = new Set<string>()
  for (const [index, fact] of facts.entries()) {
    if (fact.tool === 'update_file') found.add(normal(String(fact.input['path'])))
    if (fact.tool !== 'search_code' || fact.input['pattern'] !== from) continue
    const { hits } = searchFor(from, scope, facts.slice(0, index + 1), index)
    for (const hit of hits) if (looksUsed(hit, from)) found.add(hit.path)
  }
  return [...found]
}

function stateOf(path: string, file: SeenFile | undefined, from: string, left: readonly Hit[]): FileWork {
  if (!file) return { path, state: 'unread', next: 1, ahead: 1 }
  if (file.unreadable !== undefined) return { path, state: 'given_up', why: file.unreadable }
  if (file.partial) {
    const { lines, next, total } = file.partial
    return {
      path,
      state: 'unread',
      next,
      ahead: Math.max(1, Math.ceil((total - next + 1) / Math.max(1, lines.length))),
    }
  }
  const failure = file.failures.at(-1)
  if (file.text === undefined) {
    const why = failure?.output ?? 'its text is not known'
    const isFinal = file.failures.length > 1 || isRefusal(why)
    return isFinal ? { path, state: 'given_up', why } : { path, state: 'unread', next: 1, ahead: 1 }
  }
  const places = findIdentifier(file.text, from, path)
  if (places.some(({ isUse }) => isUse)) {
    const mayRetry =
      !failure ||
      (file.failures.length === 1 && (file.text !== failure.text || isInterruption(failure.output)))
    return mayRetry
      ? { path, state: 'ready', text: file.text }
      : { path, state: 'given_up', why: failure.output }
  }
  // A hit where our text has none: somebody else changed the file.
  const isStale = left.some((hit) => hit.path === path && !places.some(({ line }) => line === hit.line))
  return isStale ? { path, state: 'unread', next: 1, ahead: 1 } : { path, state: 'done' }
}
