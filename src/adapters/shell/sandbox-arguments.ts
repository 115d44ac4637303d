import { type Stats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NAMESPACES } from './bubblewrap.ts'
import { type Layer, isWithin } from './reach-layers.ts'
import { type SecretPath, secretPaths } from './secret-paths.ts'

export interface SandboxPlan {
  /** The granted folder, with all links resolved. */
  folder: string
  access: 'read' | 'write'
  /** Paths with rights of their own, outermost first, the folder among them; the folder alone if absent. */
  layers?: readonly Layer[]
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
  const { folder } = plan
  const secrets = secretPaths(plan.ours)
  const layers = layersOf(plan).filter((layer, index, all) =>
    isNeeded(layer, all.slice(0, index), secrets, folder),
  )
  const inside = (path: string): boolean =>
    layers.some((layer) => path !== layer.path && isWithin(path, layer.path))
  const hidden = secrets.filter(({ path }) => inside(path) || !isGone(path))
  const base = layers.find(({ path }) => path === '/') ?? ({ path: '/', access: 'read' } as const)
  return [
    ...rights(plan, layers),
    ...(plan.network ? [] : ['--unshare-net']),
    ...['--unshare-cgroup-try', '--die-with-parent', '--new-session'],
    ...(plan.filter === undefined ? [] : ['--seccomp', `${plan.filter}`]),
    ...mount(base),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...systemMounts(),
    ...temporaryMounts(plan, layers),
    ...(plan.network ? resolverMounts() : []),
    ...stack(hidden, layers, plan.emptyFile),
    ...plan.protection,
    // What protects a repository makes the rest of it writable again.
    ...layers
      .filter(({ path, access }) => access === 'read' && plan.protection.some((at) => isBelow(path, at)))
      .flatMap(mount),
    ...['--chdir', folder, '--'],
  ]
}

const layersOf = ({ folder, access, layers }: SandboxPlan): readonly Layer[] =>
  layers ?? [{ path: folder, access }]

/** Everything can be read already, apart from what is hidden; and the folder must be there to start in. */
function isNeeded(
  { path, access }: Layer,
  below: readonly Layer[],
  secrets: readonly SecretPath[],
  folder: string,
): boolean {
  if (access === 'write' || path === folder || isGone(path)) return true
  return [...below.filter((layer) => layer.access === 'write'), ...secrets].some((other) =>
    isWithin(path, other.path),
  )
}

const mount = ({ path, access }: Layer): string[] => [access === 'write' ? '--bind' : '--ro-bind', path, path]

/** The narrower goes on top. What was granted by its own name is not hidden. */
function stack(secrets: readonly SecretPath[], layers: readonly Layer[], emptyFile: string): string[] {
  const hidden = secrets.map((secret) => ({ path: secret.path, args: hide(secret, layers, emptyFile) }))
  const granted = layers
    .filter(({ path }) => path !== '/')
    .map((layer) => ({ path: layer.path, args: mount(layer) }))
  return [...hidden, ...granted]
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
    .flatMap(({ args }) => args)
}

/**
 * Root keeps no rights beyond those of its own files, unless a granted path belongs to somebody else: then a user namespace,
 * which knows only root, could not write there, and root keeps the right to pass over file permissions.
 */
function rights({ access, nested }: SandboxPlan, layers: readonly Layer[]): string[] {
  const drop = ['--cap-drop', 'ALL']
  const foreign = process.getuid?.() === 0 && layers.some(({ path }) => statSync(path).uid !== 0)
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

function temporaryMounts({ access, temporary }: SandboxPlan, layers: readonly Layer[]): string[] {
  const small = ['--perms', '1777', '--size', `${TEMPORARY_BYTES}`, '--tmpfs']
  const others = lookAt('/var/tmp')?.isDirectory() ? [...small, '/var/tmp'] : []
  if (access === 'write') return [...others, '--bind', temporary, '/tmp']
  const left = readdirSync(temporary, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    // Where something is granted there must be room for it.
    .filter(({ name }) => !layers.some(({ path }) => isWithin(path, `/tmp/${name}`)))
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
function hide({ path, folder }: SecretPath, layers: readonly Layer[], emptyFile: string): string[] {
  if (!folder) return ['--ro-bind', emptyFile, path]
  const mode = layers.some((layer) => isWithin(layer.path, path)) ? '0755' : '0555'
  return ['--perms', mode, '--tmpfs', path]
}

/** Below something that is hidden as a whole. */
const isGone = (path: string): boolean =>
  ['/run', '/tmp', '/var/tmp', '/proc', '/dev'].some((top) => isWithin(path, top))

const isBelow = (path: string, folder: string): boolean =>
  folder.startsWith('/') && path !== folder && isWithin(path, folder)

const lookAt = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })
