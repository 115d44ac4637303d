import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { endProcesses } from '../shell/process-group.ts'

/**
 * What makes a server end when we do, even by kill -9. `bwrap`: a process namespace that dies with us, so nothing gets
 * out of it. `watchdog`: a shell that waits for our end of a pipe to close. `none`: nothing but its closed stdin.
 */
export type Tether = 'bwrap' | 'watchdog' | 'none'

export interface ServerProcess {
  child: ChildProcess
  /** Closes stdin, waits a moment, then ends every process of it. */
  end(): Promise<void>
}

const BWRAP = ['--die-with-parent', '--unshare-pid', '--dev-bind', '/', '/', '--proc', '/proc', '--']

/**
 * `$1` marks the server's environment, the rest is its command. The watcher lies in wait in the server's own process
 * group; its environment has no mark, so it does not find itself. Where there is no /proc, only the group is killed.
 */
const WATCHDOG = `mark=$1; shift
{
  read -r _ <&3
  for round in 1 2 3; do
    for file in $(grep -lsF "$mark" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      kill -KILL "\${pid%/environ}"
    done
  done
  kill -KILL 0
} </dev/null >/dev/null 2>&1 &
exec env "$mark" "$@" 3<&-`

/** How long a server may take to end by itself once its stdin is closed. */
const GOODBYE_MS = 500

let started = 0

/** Starts a server in a process group of its own. A command that cannot be started shows as an early exit or `error`. */
export function startServer(
  { command, args, cwd, env }: { command: string; args: string[]; cwd: string; env: Record<string, string> },
  tether: Tether,
): ServerProcess {
  started += 1
  const [name, value] = ['CONCLAVE_MCP_SERVER', `${process.pid}-${started}-${Date.now()}`] as const
  const mark = `${name}=${value}`
  const [program, ...rest] = wrap(tether, mark, [command, ...args])
  const child = spawn(program, rest, {
    cwd,
    env: tether === 'watchdog' ? env : { ...env, [name]: value },
    stdio: ['pipe', 'pipe', 'pipe', ...(tether === 'watchdog' ? (['pipe'] as const) : [])],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const lifeline = child.stdio[3] as Writable | null | undefined
  for (const stream of [child.stdin, child.stdout, child.stderr, lifeline]) stream?.on('error', () => {})
  const exited = new Promise<void>((resolve) => {
    child.once('exit', resolve).once('error', () => resolve())
  })
  // What the server left behind ends with it.
  void exited.then(() => lifeline?.destroy())
  return {
    child,
    async end() {
      child.stdin?.end()
      let timer: NodeJS.Timeout | undefined
      await Promise.race([exited, new Promise((resolve) => (timer = setTimeout(resolve, GOODBYE_MS)))])
      clearTimeout(timer)
      if (child.pid !== undefined) await endProcesses(child.pid, mark)
      lifeline?.destroy()
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
  }
}

function wrap(tether: Tether, mark: string, command: string[]): [string, ...string[]] {
  switch (tether) {
    case 'bwrap':
      return ['bwrap', ...BWRAP, ...command]
    case 'watchdog':
      return ['sh', '-c', WATCHDOG, 'sh', mark, ...command]
    case 'none':
      return command as [string, ...string[]]
  }
}

/** The strongest tether that works here, tried for real. */
export async function findTether(): Promise<Tether> {
  if (process.platform === 'win32') return 'none'
  if (process.platform !== 'linux') return 'watchdog'
  return new Promise((resolve) => {
    const probe = spawn('bwrap', [...BWRAP, 'true'], { stdio: 'ignore', timeout: 5_000 })
    probe
      .once('error', () => resolve('watchdog'))
      .once('exit', (code) => resolve(code === 0 ? 'bwrap' : 'watchdog'))
  })
}
