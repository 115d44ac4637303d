import type { ChildProcess } from 'node:child_process'
import type { Shell, ShellRequest, ShellResult } from '../../ports/shell.ts'
import { childEnvironment } from './child-environment.ts'
import { COMMAND_MARK, newMark } from './command-mark.ts'
import { privateFolder } from './private-folder.ts'
import { endProcesses } from './process-group.ts'
import { canBeRead, identify, makeReady, takeReady, waitForCommand } from './ready-process.ts'
import { type Keep, type Launch, notStarted, runProcess, spawnOptions } from './run-process.ts'

export interface LocalShellOptions {
  /** Bytes of output to keep. */
  keep?: Keep
  /** Start the shell for the next command ahead of it. */
  ahead?: boolean
}

/**
 * Joins stderr to stdout, so that their lines stay in order, and becomes bash, or sh where there is none. The command
 * itself is an argument: what was approved is byte for byte what runs.
 */
const START = 'exec 2>&1; if command -v bash >/dev/null; then exec bash -c "$1"; fi; exec sh -c "$1"'

/** Runs commands on this machine with the user's rights: a process group of its own, no input, no keys. */
export function localShell(options: LocalShellOptions = {}): Shell {
  return {
    confines: false,
    scratch: privateFolder,
    run: async (request) =>
      request.access === 'read' || request.reach?.root_access === 'read'
        ? notStarted('it may only look, which needs a sandbox, and there is none here')
        : runLocally(request, options),
  }
}

async function runLocally(request: ShellRequest, { keep, ahead }: LocalShellOptions): Promise<ShellResult> {
  const mark = newMark()
  const environment = childEnvironment(process.env)
  const launch: Launch = {
    program: 'sh',
    args: ['-c', START, 'sh', request.command],
    cwd: request.cwd,
    environment: { ...environment, [COMMAND_MARK]: mark },
    end: (pid) => endProcesses(pid, `${COMMAND_MARK}=${mark}`),
  }
  const key = ahead ? keyOf(request, environment) : undefined
  if (key === undefined) return runProcess(request, launch, keep)
  const child = takeReady(key)
  const ready = child && { child, input: `${mark}\0${request.command}\0` }
  const running = runProcess(request, { ...launch, ...(ready && { ready }) }, keep)
  setImmediate(() => makeReady(key, () => startAhead(launch, environment)))
  return running
}

/** None where the command has to be started by itself. */
function keyOf({ command, cwd }: ShellRequest, environment: Record<string, string>): string | undefined {
  if (process.platform === 'win32' || !canBeRead(command)) return undefined
  try {
    return JSON.stringify([identify(cwd), environment])
  } catch {
    return undefined
  }
}

/** The mark is not known yet: it comes before the command. */
function startAhead(launch: Launch, environment: Record<string, string>): ChildProcess {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const [program, ...args] = waitForCommand(
    `exec 2>&1; IFS= read -r -d "" ${COMMAND_MARK} && export ${COMMAND_MARK} && `,
  )
  return spawn(program, args, spawnOptions({ ...launch, environment }, 'pipe'))
}
