import { mkdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Whether the strict sandbox was seen to work with this program in this very place. Only that is kept, never a failure or
 * a weaker sandbox: whoever can write the file can make commands fail, but not have them run with more rights.
 */
export function hasWorked(file: string, program: string): boolean {
  try {
    return readFileSync(file, 'utf8') === describePlace(program)
  } catch {
    return false
  }
}

export function keepWorking(file: string, program: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, describePlace(program), { mode: 0o600 })
  } catch {
    // What cannot be kept is tried again next time.
  }
}

export function forgetWorking(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // Then it is wrong once more.
  }
}

/** What can let it work or not: the program, the start of the system, its settings, and the namespaces we are in. */
function describePlace(program: string): string {
  const { dev, ino, size, mtimeMs, mode } = statSync(program)
  return JSON.stringify([
    ...[program, dev, ino, size, mtimeMs, mode, process.getuid?.()],
    ...['user', 'mnt', 'pid'].map((name) => readlinkSync(`/proc/self/ns/${name}`)),
    ...SETTINGS.map(readSetting),
  ])
}

const SETTINGS = [
  'kernel/random/boot_id',
  'kernel/unprivileged_userns_clone',
  'kernel/apparmor_restrict_unprivileged_userns',
  'user/max_user_namespaces',
]

function readSetting(name: string): string {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim()
  } catch {
    return ''
  }
}
