import { chmodSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fromText, toBytes, under } from './byte-path.ts'
import { runProgram } from './run-program.ts'
import { walkTree } from './walk-tree.ts'

/** Removes a folder, also one in which an agent took our rights away. Never throws: what stays is swept another time. */
export async function removeTree(path: string): Promise<void> {
  const remove = async (): Promise<boolean> => {
    // Node's own does not know names that are not UTF-8.
    if (process.platform !== 'win32') return (await runProgram('rm', ['-rf', '--', path], { cwd: '/' })).ok
    return rm(path, { recursive: true, force: true, maxRetries: 3 }).then(
      () => true,
      () => false,
    )
  }
  if (await remove()) return
  const root = fromText(path)
  // A folder that could not be read shows what is in it only once it can.
  for (let depth = 0, before = -1; depth < 100; depth += 1) {
    const tree = await walkTree(root).catch(() => new Map())
    for (const [entry, { kind }] of tree) {
      if (kind !== 'folder') continue
      try {
        chmodSync(toBytes(under(root, entry)), 0o700)
      } catch {
        // Not ours.
      }
    }
    if (tree.size === before) break
    before = tree.size
  }
  await remove()
}
