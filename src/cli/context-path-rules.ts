import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { ownHomes, secretPlaces } from '../adapters/shell/secret-paths.ts'
import { protectedPath } from '../core/policy/protected-paths.ts'

/** Made up by the system: devices, processes, sockets. Drives that were plugged in are the user's. */
const SYSTEM = ['/proc', '/sys', '/dev', '/run']
const DRIVES = '/run/media'

/** Why a path cannot be a context path; nothing when it can. */
export function refuseContextPath(
  given: string,
  real: string,
  permission: 'read' | 'write',
  data: string,
): string | undefined {
  if (/[\p{Cc}\p{Cf}]/u.test(real)) return 'its name holds characters that cannot be seen'
  return (
    whatIsThere(given, real, permission) ??
    whoseItIs(real, data) ??
    (permission === 'write' ? whyNotWritten(real, data) : undefined)
  )
}

/** A writable one may still have to be made: then the folder it will be in must be there. */
function whatIsThere(given: string, real: string, permission: 'read' | 'write'): string | undefined {
  try {
    const info = statSync(real, { throwIfNoEntry: false })
    if (info)
      return info.isFile() || info.isDirectory() ? undefined : `${real} is neither a file nor a folder`
    if (lstatSync(given, { throwIfNoEntry: false })) return `${given} is a link that leads nowhere`
    if (permission === 'read') return `${real} does not exist`
    if (statSync(dirname(real), { throwIfNoEntry: false })?.isDirectory()) return undefined
    return `neither ${real} nor the folder it would be in exists`
  } catch (error) {
    return (error as Error).message
  }
}

function whoseItIs(real: string, data: string): string | undefined {
  if (SYSTEM.some((top) => holds(top, real)) && !holds(DRIVES, real)) return `${real} belongs to the system`
  return follow(data).some((place) => holds(place, real))
    ? `${real} is where conclave keeps its own data`
    : undefined
}

function whyNotWritten(real: string, data: string): string | undefined {
  if (real === '/') return 'all of the file system may not be written'
  const what = protectedPath(real)
  if (what !== undefined) return `${real} may not be written: ${what} are left to the person to change`
  const secret = secretPlaces().find((place) => follow(place).some((at) => holds(at, real)))
  if (secret !== undefined) return `${real} may not be written: keys and settings are kept in ${secret}`
  const kept = [data, ...ownHomes(), tmpdir(), ...secretPlaces().filter((place) => existsSync(place))]
  const inside = kept.find((place) => follow(place).some((at) => holds(real, at)))
  return inside === undefined
    ? undefined
    : `${real} may not be written as a whole, because ${inside} is in it; name a folder further down`
}

const holds = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** A place as it is called, and what it leads to. */
function follow(path: string): string[] {
  try {
    return [path, realpathSync(path)]
  } catch {
    return [path]
  }
}
