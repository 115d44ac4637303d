import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { childEnvironment } from './child-environment.ts'
import { hasWorked, keepWorking } from './kept-probe.ts'

/** What this machine has to confine commands with: tried for real, once in a process, when somebody first asks. */
export type Bubblewrap = { works: true; program: string; nested: boolean } | { works: false; problem: string }

let found: Bubblewrap | undefined

/** `kept`: a file in which it is noted that it works, so that the next process need not try. */
export function bubblewrap(kept?: string): Bubblewrap {
  found ??= look(kept)
  return found
}

/** Namespaces a sandbox always has; the network's is left out where the config allows the network. */
export const NAMESPACES = ['user', 'pid', 'ipc', 'uts'].map((name) => `--unshare-${name}`)

const PROBE = [...NAMESPACES, '--unshare-net', '--die-with-parent', '--new-session', '--cap-drop', 'ALL']
const LOOK = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  ...['--perms', '1777', '--size', '4096', '--tmpfs', '/tmp', '--', 'sh', '-c', ':'],
]
const PROBE_MS = 5_000

function look(kept: string | undefined): Bubblewrap {
  if (process.platform !== 'linux')
    return { works: false, problem: 'there is no sandbox for this system yet' }
  const program = findProgram('bwrap')
  if (!program) return { works: false, problem: 'bubblewrap (bwrap) is not installed' }
  if (kept !== undefined && hasWorked(kept, program)) return { works: true, program, nested: true }
  // A sandbox in which no further user namespace can be made; older versions do not know that.
  const strict = attempt(program, ['--disable-userns', ...PROBE, ...LOOK])
  if (strict === '') {
    if (kept !== undefined) keepWorking(kept, program)
    return { works: true, program, nested: true }
  }
  const plain = attempt(program, [...PROBE, ...LOOK])
  return plain === '' ? { works: true, program, nested: false } : { works: false, problem: explain(plain) }
}

/** Empty when it works. */
function attempt(program: string, args: string[]): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env: childEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: PROBE_MS,
    killSignal: 'SIGKILL',
  })
  return status === 0 ? '' : stderr?.trim() || error?.message || `bwrap ended with ${status}`
}

function explain(said: string): string {
  const forbidden = ['namespace', 'uid map', 'gid map', 'RTM_NEWADDR', 'Operation not permitted']
  return forbidden.some((words) => said.includes(words))
    ? `the kernel does not let bubblewrap make namespaces (${said}); ` +
        'see kernel.unprivileged_userns_clone, user.max_user_namespaces and the AppArmor profile of bwrap'
    : `bubblewrap does not work here: ${said}`
}

function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
