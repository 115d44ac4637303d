import { mkdir, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { Conflict } from '../../ports/workspace.ts'
import { restoreFile } from '../files/restore-file.ts'
import { runGit } from '../git/git.ts'
import type { ApplyParts } from './apply-changes.ts'
import { fromText, toText } from './byte-path.ts'
import { readBeneath } from './read-beneath.ts'
import type { StoredChange } from './stored-change.ts'

type Kept = NonNullable<Conflict['kept']>

/** Puts every version of a file under its own folder, and what they give together when that needs no decision. */
export async function keepVersions(parts: ApplyParts, { path }: StoredChange): Promise<Kept> {
  const { base, snapshot, folder, blobs } = parts
  const { top, start } = await placeOf(parts)
  const nameIn = (side: keyof Kept): string => `${start}${side}/${toText(path)}`
  const keep = async (side: keyof Kept, bytes: Buffer | undefined): Promise<Kept> => {
    if (!bytes) return {}
    const restored = await restoreFile(top, blobs, { path: nameIn(side), bytes })
    return 'refused' in restored ? {} : { [side]: join(parts.conflicts, side, toText(path)) }
  }
  const kept: Kept = {
    ...(await keep('yours', await readBeneath(fromText(folder), path))),
    ...(await keep('answer', await readBeneath(fromText(snapshot), path))),
    ...(await keep('base', await readBeneath(fromText(base.tree), path))),
  }
  if (!kept.yours || !kept.answer || !kept.base) return kept
  const sides = (['yours', 'base', 'answer'] as const).map(nameIn)
  const merged = await runGit({ git_dir: base.git, work_tree: top }, [
    'merge-file',
    '-p',
    '-q',
    '--',
    ...sides,
  ])
  return merged.ok ? { ...kept, ...(await keep('merged', merged.output)) } : kept
}

/** Inside the user's folder every name on the way is walked without following a link: a project may have planted one. */
async function placeOf({ folder, conflicts }: ApplyParts): Promise<{ top: string; start: string }> {
  const way = relative(folder, conflicts)
  if (!way.startsWith('..') && !isAbsolute(way)) return { top: folder, start: `${way.split(sep).join('/')}/` }
  await mkdir(conflicts, { recursive: true })
  return { top: await realpath(conflicts), start: '' }
}
