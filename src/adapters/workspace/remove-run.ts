import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecord, writeRecord } from './record.ts'
import { removeTree } from './remove-tree.ts'
import { type RunFolder, safeName } from './run-folder.ts'

/**
 * Removes a run but for the snapshots with these labels. First all of it goes out of sight in one step; a million files
 * take minutes to remove. When the process ends before, the rest is swept like any other run nobody knows.
 */
export async function removeRun(run: RunFolder, keep: readonly string[]): Promise<void> {
  const snapshots = join(run.path, 'snapshots')
  const names = await readdir(snapshots).catch((): string[] => [])
  const wanted = new Set(keep.map(safeName))
  const gone = `${run.path}-gone-${Math.random().toString(36).slice(2)}`
  if (!names.some((name) => wanted.has(name))) {
    await rename(run.path, gone).catch(() => {})
  } else {
    // Noted first: from then on the rest is nobody's.
    if (!(await readRecord(run.kept))) await writeRecord(run.kept, { labels: keep })
    await mkdir(gone)
    const parts = (await readdir(run.path)).filter((name) => name !== 'snapshots' && name !== 'kept.json')
    const dropped = names.filter((name) => !wanted.has(name)).map((name) => join('snapshots', name))
    for (const [index, part] of [...parts, ...dropped].entries()) {
      await rename(join(run.path, part), join(gone, `${index}`)).catch(() => {})
    }
  }
  await removeTree(gone)
}
