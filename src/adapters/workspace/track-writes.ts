import { lstatSync, rmSync } from 'node:fs'
import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { type FolderSnapshot, diffSnapshots } from '../../core/writes/diff-snapshots.ts'
import { WRITES_FILE, writesFooter, writesList } from '../../core/writes/footer.ts'
import type { Refused } from '../../ports/files.ts'
import type { WriteTracker } from '../../ports/workspace.ts'
import { makeGitDir } from '../git/own-git-dir.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import { type BytePath, fromText, nameOf, parentOf, toBytes, toText, under } from './byte-path.ts'
import { listIgnored, namedByRules } from './ignored-paths.ts'
import { readRecord, writeRecord, writeWhole } from './record.ts'
import { removeTree } from './remove-tree.ts'
import { isAlive } from './run-folder.ts'
import { inFolder, stampOf, walkTree } from './walk-tree.ts'

/** Where runs write about themselves, also others that work at the same time. */
const OUR_LOGS: readonly string[] = ['.conclave/logs', '.conclave/runs']

/** What was seen in the context paths. */
interface Seen {
  paths: string[]
  stamps: FolderSnapshot
  /** Ignored folders that were not looked into. */
  left_out: ReadonlySet<BytePath>
}

/** What it needs on the way is beside the record, so that it goes with it when a process is killed. */
export function trackWrites(): WriteTracker {
  return {
    begin: ({ paths, record }) =>
      refusing(async () => {
        if (await readRecord(record)) return undefined
        const { stamps, left_out, ...rest } = await look(await realPaths(paths), dirname(record))
        await writeRecord(record, { ...rest, stamps: [...stamps], left_out: [...left_out] })
        return undefined
      }),

    end: ({ record, log_dir, folder }) =>
      refusing(async () => {
        const stored = await readRecord<{ paths: string[]; stamps: [string, string][]; left_out: string[] }>(
          record,
        )
        if (!stored) return { refused: `nobody looked at the context paths before: ${record} is missing` }
        const before: Seen = {
          paths: stored.paths,
          stamps: new Map(stored.stamps),
          left_out: new Set(stored.left_out),
        }
        const writes = diffSnapshots(before.stamps, (await lookAgain(before, dirname(record))).stamps)
          .filter((write) => !removeBegun(before.paths, write))
          .map((write) => ({ ...write, path: shownFrom(folder, write.path) }))
        const list = writesList(writes)
        if (list !== undefined) await writeWhole(join(log_dir, WRITES_FILE), list)
        const footer = writesFooter(writes, log_dir)
        return { writes, ...(footer !== undefined && { footer }) }
      }),
  }
}

/** A path that is not there yet is where a file may be made. */
const realPaths = (paths: readonly string[]): Promise<string[]> =>
  Promise.all(paths.map((path) => realpath(path).catch(() => path)))

/**
 * With other ignore rules than before, a folder could be hidden that way: then what was looked into before is looked into
 * again, and folders that were made meanwhile are listed whatever the rules say.
 */
async function lookAgain(before: Seen, scratch: string): Promise<Seen> {
  const now = await look(before.paths, scratch)
  const rules = diffSnapshots(before.stamps, now.stamps).some(({ path }) => path.endsWith('/.gitignore'))
  return rules ? look(before.paths, scratch, before.left_out) : now
}

async function look(paths: string[], scratch: string, left_out?: ReadonlySet<BytePath>): Promise<Seen> {
  const stamps = new Map<string, string>()
  const skipped = new Set<BytePath>(left_out)
  const own = join(scratch, `git-${process.pid}-${Math.random().toString(36).slice(2)}`)
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  try {
    await makeGitDir(own, { exact: true })
    await writeFile(join(own, 'info', 'exclude'), '')
    for (const path of paths) {
      const root = fromText(path)
      const info = lstatSync(path, { bigint: true, throwIfNoEntry: false })
      if (info?.isFile()) stamps.set(path, stampOf(info))
      if (!info?.isDirectory()) continue
      if (!left_out) for (const each of await ignoredFolders(own, path)) skipped.add(under(root, each))
      const skip = (at: BytePath): boolean =>
        nameOf(at) === '.git' || OUR_LOGS.includes(at) || skipped.has(under(root, at))
      for (const [at, { kind, stamp }] of await walkTree(root, { skip })) {
        if (kind !== 'folder') stamps.set(toText(under(root, at)), stamp)
      }
    }
  } finally {
    await removeTree(own)
  }
  return { paths, stamps, left_out: skipped }
}

async function ignoredFolders(own: string, folder: string): Promise<Set<BytePath>> {
  const ignored = await listIgnored({ own, folder, as: 'repository' })
  return ignored && ignored.folders.size > 0 ? namedByRules(own, ignored) : new Set()
}

/** What a process that was killed had begun to write beside the file it was for; true when it is gone. */
function removeBegun(paths: readonly string[], { path, change }: WrittenFile): boolean {
  const root = change === 'new' ? paths.find((each) => path.startsWith(`${each}/`)) : undefined
  const [, pid] = /\/\.conclave-(\d+)-[a-z0-9]+\.tmp$/u.exec(path) ?? []
  if (root === undefined || pid === undefined || isAlive(Number(pid))) return false
  const at = fromText(path.slice(root.length + 1))
  return (
    inFolder(fromText(root), parentOf(at), (folder) => {
      rmSync(toBytes(`${folder}/${nameOf(at)}`), { force: true })
      return true
    }) ?? false
  )
}

function shownFrom(folder: string, path: string): string {
  const way = relative(folder, path)
  return way === '' || way.startsWith('..') || isAbsolute(way) ? path : way.split(sep).join('/')
}

async function refusing<T>(work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    if (!('syscall' in (error as object))) throw error
    return { refused: `the context paths could not be looked at: ${(error as Error).message}` }
  }
}
