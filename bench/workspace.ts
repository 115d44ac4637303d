// What workspaces cost on disk and in time, beside other ways to copy a repository, and how fast writes are tracked.
// Run: sh scripts/node.sh bench/workspace.ts [agents] [megabytes] [mixed|small]
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBlobStore } from '../src/adapters/undo/blob-store.ts'
import { trackWrites } from '../src/adapters/workspace/track-writes.ts'
import { openWorkspaces } from '../src/adapters/workspace/workspaces.ts'
import type { Workspace } from '../src/ports/workspace.ts'

const agents = Number(process.argv[2] ?? 100)
const megabytes = Number(process.argv[3] ?? 1_000)
const shape = process.argv[4] ?? 'mixed'
/** The other ways copy everything, so they are measured on a few and multiplied. */
const OTHERS = 2
const TRACKED = 100_000

const top = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-bench-workspace-')))
try {
  await compare()
  await track()
} finally {
  rmSync(top, { recursive: true, force: true })
}

async function compare(): Promise<void> {
  const folder = join(top, 'project')
  const files = makeRepository(folder)
  console.log(`${files} files, ${megabytes} MB, ${agents} agents (${shape})`)
  for (const [name, make] of Object.entries(otherWays(folder))) {
    const began = performance.now()
    for (let index = 0; index < OTHERS; index += 1) make(join(top, 'others', `${name}-${index}`))
    const seconds = (performance.now() - began) / 1000
    const size = megabytesOf(join(top, 'others'))
    rmSync(join(top, 'others'), { recursive: true })
    console.log(
      `${name}: ${(seconds / OTHERS).toFixed(2)} s and ${(size / OTHERS).toFixed(0)} MB each, ${((size / OTHERS) * agents).toFixed(0)} MB for all`,
    )
  }
  git(folder, 'worktree', 'prune')
  await measureOurs(folder)
  rmSync(folder, { recursive: true })
}

async function measureOurs(folder: string): Promise<void> {
  const root = join(top, 'data')
  const workspaces = openWorkspaces({ root, blobs: openBlobStore(join(top, 'undo')) })
  const open = (index: number) =>
    workspaces.open({ run_id: 'run_bench', agent_id: `agent${index}`, folder, agents })
  const first = await timed(() => open(0))
  const rest = await timed(() =>
    Promise.all(Array.from({ length: agents - 1 }, (_, index) => open(index + 1))),
  )
  const opened = [first.result, ...rest.result].filter((each): each is Workspace => !('refused' in each))
  if (opened.length < agents)
    throw new Error(JSON.stringify([first.result, ...rest.result].find((each) => 'refused' in each)))
  console.log(
    `ours: first ${first.seconds.toFixed(2)} s, then ${(rest.seconds / Math.max(1, agents - 1)).toFixed(2)} s each, ${megabytesOf(root)} MB for all, ${opened[0]?.shared_files} files shared`,
  )
  for (const { path } of opened) {
    writeFileSync(join(path, 'd0', 'f0.txt'), `changed in ${path}\n`)
    writeFileSync(join(path, 'added.txt'), 'new\n')
  }
  const before = megabytesOf(root)
  const frozen = await timed(() =>
    Promise.all(opened.map((each, index) => workspaces.snapshot(each, `agent${index}.1`))),
  )
  console.log(
    `${agents} snapshots: ${(frozen.seconds / agents).toFixed(2)} s each, ${megabytesOf(root) - before} MB for all, ${frozen.result.every((each) => !('refused' in each) && each.changes.files.length === 2) ? 'each with its 2 changes' : 'WRONG'}`,
  )
  const again = await timed(() => workspaces.snapshot(opened[0] as Workspace, 'agent0.2'))
  console.log(`one more snapshot: ${again.seconds.toFixed(2)} s`)
  const closed = await timed(() => workspaces.close('run_bench', 'nothing'))
  console.log(`close: ${closed.seconds.toFixed(2)} s`)
}

async function track(): Promise<void> {
  const folder = join(top, 'tracked')
  for (let index = 0; index < TRACKED; index += 1) {
    if (index < 1_000) mkdirSync(join(folder, `d${index}`), { recursive: true })
    writeFileSync(join(folder, `d${index % 1_000}`, `f${index}.txt`), `${index}\n`)
  }
  const tracker = trackWrites()
  const record = join(top, 'record.json')
  const began = await timed(() => tracker.begin({ paths: [folder], record }))
  writeFileSync(join(folder, 'd5', 'f5.txt'), 'changed\n')
  const ended = await timed(() => tracker.end({ record, log_dir: top, folder }))
  const found = 'refused' in ended.result ? 0 : ended.result.writes.length
  console.log(
    `write tracking, ${TRACKED} files: before ${began.seconds.toFixed(2)} s, after ${ended.seconds.toFixed(2)} s, ${found} write found`,
  )
}

/** `mixed`: a tenth of the bytes in files of 20 kB, the rest in files of 2 MB. `small`: all in files of 16 kB. */
function makeRepository(folder: string): number {
  const sizes =
    shape === 'small'
      ? Array.from({ length: (megabytes * 1_000) / 16 }, () => 16_000)
      : [
          ...Array.from({ length: megabytes * 5 }, () => 20_000),
          ...Array.from({ length: Math.floor(megabytes * 0.45) }, () => 2_000_000),
        ]
  for (const [index, size] of sizes.entries()) {
    const at = join(folder, `d${index % 500}`)
    if (index < 500) mkdirSync(at, { recursive: true })
    writeFileSync(join(at, `f${index}.txt`), randomFillSync(Buffer.allocUnsafe(size)))
  }
  git(folder, 'init', '-q')
  git(folder, '-c', 'core.compression=0', 'add', '.')
  git(folder, '-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-qm', 'all')
  return sizes.length
}

function otherWays(folder: string): Record<string, (to: string) => void> {
  return {
    'git worktree': (to) => git(folder, 'worktree', 'add', '--detach', to),
    'git clone --shared': (to) => git(folder, 'clone', '-q', '--shared', folder, to),
    'cp -a without .git': (to) => {
      mkdirSync(to, { recursive: true })
      execFileSync('sh', ['-c', 'cp -a --reflink=auto "$1"/d* "$2"', 'sh', folder, to])
    },
  }
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore' })
}

/** Every file once, however many names it has. */
function megabytesOf(folder: string): number {
  return Math.round(Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1_000)
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const began = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - began) / 1000 }
}
