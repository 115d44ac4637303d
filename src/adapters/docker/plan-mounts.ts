import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Layer, isWithin } from '../shell/reach-layers.ts'
import { secretPaths } from '../shell/secret-paths.ts'
import { usualSockets } from './find-socket.ts'

export interface Mount {
  target: string
  /** On the host; an empty folder in memory if absent. */
  source?: string
  writable: boolean
}

export interface MountRules {
  /** Of the daemon we speak to. */
  socket: string
  /** Our own folders, which a command may not see. */
  ours: readonly string[]
  /** To put over what is hidden. */
  emptyFile: string
}

/**
 * What a container sees of the host: exactly these layers, each where it is on the host, without the secrets in them.
 * The protection of names in writable folders is given as mounts for bubblewrap.
 */
export function planMounts(
  layers: readonly Layer[],
  protection: readonly string[],
  rules: MountRules,
): { mounts: Mount[] } | { problem: string } {
  for (const { path } of layers) {
    const problem = refusePath(path, rules.socket)
    if (problem) return { problem }
  }
  const granted = layers.map(({ path, access }) => ({
    target: path,
    source: path,
    writable: access === 'write',
  }))
  const hidden = secretPaths(rules.ours)
    .filter(({ path }) => layers.some((layer) => isBelow(path, layer.path)))
    .filter(({ path }) => !layers.some((layer) => layer.path === path))
    .map(({ path, folder }) => ({
      target: path,
      writable: false,
      ...(!folder && { source: rules.emptyFile }),
    }))
  return { mounts: strictest([...hidden, ...granted, ...fromBubblewrap(protection)]) }
}

/** Changes when any of the mounts would be another one now, also when a file of the same name has taken its place. */
export function fingerprint(mounts: readonly Mount[]): string {
  return JSON.stringify(mounts.map((mount) => [mount, identify(mount.target)]))
}

/** One of them holds the other. */
export const overlap = (a: string, b: string): boolean => isWithin(a, b) || isWithin(b, a)

/** A container with one of these, or a part of it, would be no wall: they are the machine itself. */
const NEVER = [
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/boot',
  '/var/lib/docker',
  '/var/lib/containers',
  '/var/lib/containerd',
]
const STILL = '/run/media'
/** And these as a whole would hide the container's own. */
const NEVER_WHOLE = ['/', '/etc', '/usr', '/bin', '/sbin', '/lib', '/lib64', '/var', '/var/lib', '/tmp']
const SYSTEM_SOCKETS = ['/run/docker.sock', '/run/containerd/containerd.sock', '/run/crio/crio.sock']

function refusePath(path: string, socket: string): string | undefined {
  const isSystem = NEVER.some((never) => isWithin(path, never)) && !isWithin(path, STILL)
  if (isSystem || NEVER_WHOLE.includes(path))
    return `${path} is part of the system and is never mounted into a container`
  if (lstatSync(path).isSocket()) return `${path} is a socket, and sockets are never mounted into a container`
  const sockets = [socket, ...SYSTEM_SOCKETS, ...usualSockets()].map(resolve)
  const inside = sockets.find((each) => isWithin(each, path) && lstatSync(each, { throwIfNoEntry: false }))
  return (
    inside && `${path} contains ${inside}, through which a container could control this machine; grant less`
  )
}

function fromBubblewrap(args: readonly string[]): Mount[] {
  const mounts: Mount[] = []
  for (let at = 0; at + 2 < args.length; at += 3) {
    const [option, source = '', target = ''] = args.slice(at, at + 3)
    mounts.push({ target, source, writable: option === '--bind' })
  }
  return mounts
}

/** Of several mounts in one place what is hidden stays hidden, and what is only read is only read. */
function strictest(mounts: readonly Mount[]): Mount[] {
  const chosen = new Map<string, Mount>()
  for (const mount of mounts) {
    const known = chosen.get(mount.target)
    if (!known || (known.writable && !mount.writable)) chosen.set(mount.target, mount)
  }
  return [...chosen.values()].toSorted((a, b) => (a.target < b.target ? -1 : 1))
}

function identify(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : ''
}

const isBelow = (path: string, folder: string): boolean => path !== folder && isWithin(path, folder)

function resolve(path: string): string {
  try {
    return join(realpathSync.native(dirname(path)), path.slice(path.lastIndexOf('/') + 1))
  } catch {
    return path
  }
}
