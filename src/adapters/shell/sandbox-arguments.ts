import { type Stats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NAMESPACES } from './bubblewrap.ts'
import { type SecretPath, secretPaths } from './secret-paths.ts'

export interface SandboxPlan {
  /** The granted folder, with all links resolved. */
  folder: string
  access: 'read' | 'write'
  network: boolean
  /** What bubblewrap can do: forbid further user namespaces inside. */
  nested: boolean
  /** Our own folders, which a command may not see. */
  ours: readonly string[]
  /** An empty file to put over what is hidden. */
  emptyFile: string
  /** Becomes `/tmp`; what it holds is there to read, but not to change, when only reading is allowed. */
  temporary: string
  /** Mounts that protect parts of the folder. */
  protection: readonly string[]
  /** Number of the open file with the kernel filter. */
  filter?: number
}

const TEMPORARY_BYTES = 512 * 1024 * 1024
const MOST_TEMPORARY_ENTRIES = 100

/** The arguments of bubblewrap up to the program to run. Later mounts go on top of earlier ones. */
export function sandboxArguments(plan: SandboxPlan): string[] {
  const { folder, access } = plan
  const bind = access === 'write' ? '--bind' : '--ro-bind'
  const secrets = secretPaths(plan.ours)
  const inside = (path: string): boolean => path !== folder && isWithin(path, folder)
  return [
    ...rights(plan),
    ...(plan.network ? [] : ['--unshare-net']),
    ...['--unshare-cgroup-try', '--die-with-parent', '--new-session'],
    ...(plan.filter === undefined ? [] : ['--seccomp', `${plan.filter}`]),
    ...(folder === '/' ? [bind, '/', '/'] : ['--ro-bind', '/', '/']),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...systemMounts(),
    ...temporaryMounts(plan),
    ...(plan.network ? resolverMounts() : []),
    ...secrets.filter(({ path }) => !inside(path) && !isGone(path)).flatMap((secret) => hide(secret, plan)),
    ...(folder === '/' ? [] : [bind, folder, folder]),
    ...secrets.filter(({ path }) => inside(path)).flatMap((secret) => hide(secret, plan)),
    ...plan.protection,
    ...['--chdir', folder, '--'],
  ]
}

/**
 * Root keeps no rights beyond those of its own files, unless the folder belongs to somebody else: then a user namespace,
 * which knows only root, could not write there, and root keeps the right to pass over file permissions.
 */
function rights({ folder, access, nested }: SandboxPlan): string[] {
  const drop = ['--cap-drop', 'ALL']
  const foreign = process.getuid?.() === 0 && statSync(folder).uid !== 0
  if (!foreign) return [...NAMESPACES, ...drop, ...(nested && access === 'read' ? ['--disable-userns'] : [])]
  const kept = ['CAP_DAC_OVERRIDE', ...(access === 'write' ? ['CAP_CHOWN', 'CAP_FOWNER'] : [])]
  return [
    ...NAMESPACES.filter((name) => name !== '--unshare-user'),
    ...drop,
    ...kept.flatMap((name) => ['--cap-add', name]),
  ]
}

/** Sockets and process files of the system; on NixOS the programs themselves are below `/run`. */
function systemMounts(): string[] {
  const needed = ['/run/current-system', '/run/wrappers', '/run/opengl-driver'].filter((path) => lookAt(path))
  return [
    ...(lookAt('/run')?.isDirectory() ? ['--tmpfs', '/run'] : []),
    ...needed.flatMap((path) => ['--ro-bind', path, path]),
    ...(lookAt('/var/run')?.isDirectory() ? ['--tmpfs', '/var/run'] : []),
  ]
}

function temporaryMounts({ access, temporary }: SandboxPlan): string[] {
  const small = ['--perms', '1777', '--size', `${TEMPORARY_BYTES}`, '--tmpfs']
  const others = lookAt('/var/tmp')?.isDirectory() ? [...small, '/var/tmp'] : []
  if (access === 'write') return [...others, '--bind', temporary, '/tmp']
  const left = readdirSync(temporary, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .slice(0, MOST_TEMPORARY_ENTRIES)
  const readable = left.flatMap(({ name }) => ['--ro-bind', join(temporary, name), `/tmp/${name}`])
  return [...others, ...small, '/tmp', ...readable]
}

/** Where names are looked up, when that is told by a file below `/run`. */
function resolverMounts(): string[] {
  try {
    const path = realpathSync.native('/etc/resolv.conf')
    return path.startsWith('/run/') ? ['--dir', dirname(path), '--ro-bind', path, path] : []
  } catch {
    return []
  }
}

/** An empty folder of its own costs a fifth of a mount of another one, and takes the mount of a folder below it. */
function hide({ path, folder }: SecretPath, plan: SandboxPlan): string[] {
  if (!folder) return ['--ro-bind', plan.emptyFile, path]
  const mode = isWithin(plan.folder, path) ? '0755' : '0555'
  return ['--perms', mode, '--tmpfs', path]
}

/** Below something that is hidden as a whole. */
const isGone = (path: string): boolean =>
  ['/run', '/tmp', '/var/tmp', '/proc', '/dev'].some((top) => isWithin(path, top))

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

const lookAt = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })
