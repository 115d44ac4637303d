import type { WrittenFile } from '../../schema/observation.ts'

/** One finished call that changed files. */
export interface UndoStep {
  call_id: string
  files: readonly WrittenFile[]
}

/** What has to happen to one file to take some steps back. */
export interface Restoration {
  path: string
  /** The blob to put there; null to delete the file. */
  to: string | null
  mode?: number
  /** What the last of the steps left there; null when it left nothing. */
  expect: string | null
  /** Somebody else changed it between two of the steps: only what came after that is taken back. */
  stopped_at?: 'change_between'
}

export interface UndoPlan {
  restore: Restoration[]
  /** Changed by the steps, but without old bytes: too large, a link, or the store could not be written. */
  lost: string[]
}

/** Takes steps back together: each file goes from what the last one left to what it was before the first one. */
export function planUndo(steps: readonly UndoStep[], options: { force: boolean }): UndoPlan {
  const byPath = new Map<string, WrittenFile[]>()
  for (const { files } of steps) {
    for (const file of files) byPath.set(file.path, [...(byPath.get(file.path) ?? []), file])
  }
  const plan: UndoPlan = { restore: [], lost: [] }
  for (const [path, changes] of byPath) {
    const found = chain(changes, options.force)
    if (!found) plan.lost.push(path)
    else if (changesAnything(found)) plan.restore.push({ path, ...found })
  }
  return plan
}

/** Walks back from the last change as far as each one continues the one before it. */
function chain(changes: readonly WrittenFile[], force: boolean): Omit<Restoration, 'path'> | undefined {
  const last = changes.at(-1)
  if (last?.after === undefined || last.before === undefined) return undefined
  let first = last
  for (const earlier of changes.slice(0, -1).toReversed()) {
    if (earlier.before === undefined) return undefined
    if (earlier.after !== first.before && !force) {
      return { ...target(first), expect: last.after, stopped_at: 'change_between' }
    }
    first = earlier
  }
  return { ...target(first), expect: last.after }
}

const target = ({ before, before_mode }: WrittenFile): Pick<Restoration, 'to' | 'mode'> => ({
  to: before ?? null,
  ...(before_mode !== undefined && { mode: before_mode }),
})

const changesAnything = ({ to, expect, mode }: Omit<Restoration, 'path'>): boolean =>
  to !== expect || mode !== undefined
