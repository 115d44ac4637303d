import { spawnSync } from 'node:child_process'
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openBlobStore } from '../../src/adapters/undo/blob-store.ts'
import { type WorkspaceLimits, openWorkspaces } from '../../src/adapters/workspace/workspaces.ts'
import type { Applied, Snapshot, Workspace, Workspaces } from '../../src/ports/workspace.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'

export const RUN = 'run_test'

export interface Scene {
  folder: string
  data: string
  workspaces: Workspaces
  open(agent_id?: string, agents?: number): Promise<Workspace>
  snapshot(workspace: Workspace, label?: string): Promise<Snapshot>
  apply(snapshot: Snapshot): Promise<Applied>
  conflicts: string
}

/** A folder of a user, with workspaces of it elsewhere. */
export function scene(
  files: Record<string, string>,
  options: { limits?: Partial<WorkspaceLimits>; folder?: string } = {},
): Scene {
  const folder = options.folder ?? temporaryFolder()
  writeFiles(folder, files)
  const data = temporaryFolder()
  const conflicts = join(data, 'conflicts')
  const workspaces = openWorkspaces({
    root: join(data, 'workspaces'),
    blobs: openBlobStore(join(data, 'undo')),
    ...(options.limits && { limits: options.limits }),
  })
  return {
    folder,
    data,
    workspaces,
    conflicts,
    open: async (agent_id = 'a', agents = 2) =>
      granted(await workspaces.open({ run_id: RUN, agent_id, folder, agents })),
    snapshot: async (workspace, label = `${workspace.agent_id}.1`) =>
      granted(await workspaces.snapshot(workspace, label)),
    apply: async (snapshot) => granted(await workspaces.apply(snapshot, { folder, conflicts })),
  }
}

export function granted<T extends object>(result: T | { refused: string }): T {
  if ('refused' in result) throw new Error(result.refused)
  return result
}

export function git(cwd: string, ...args: string[]): string {
  const settings = ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'protocol.file.allow=always']
  const { status, stdout, stderr } = spawnSync('git', [...settings, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' },
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Every entry below a folder with what it holds; for comparing whole trees. */
export function contents(
  folder: string,
  skip: (path: string) => boolean = () => false,
): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (at: string): void => {
    for (const entry of readdirSync(Buffer.from(join(folder, at), 'latin1'), { encoding: 'latin1' })) {
      const path = at === '' ? entry : `${at}/${entry}`
      if (skip(path)) continue
      const full = Buffer.from(`${folder}/${path}`, 'latin1')
      const info = lstatSync(full)
      const key = Buffer.from(path, 'latin1').toString('latin1')
      if (info.isSymbolicLink()) found[key] = `-> ${readlinkSync(full)}`
      else if (info.isDirectory()) {
        found[`${key}/`] = ''
        visit(path)
      } else found[key] = `${(info.mode & 0o100) === 0 ? '' : 'runs '}${readFileSync(full, 'latin1')}`
    }
  }
  visit('')
  return found
}

export const isGit = (path: string): boolean => path.split('/').includes('.git')
