import type { Shell, ShellRequest, ShellResult } from '../../ports/shell.ts'
import { childEnvironment } from './child-environment.ts'
import { COMMAND_MARK, newMark } from './command-mark.ts'
import { privateFolder } from './private-folder.ts'
import { endProcesses } from './process-group.ts'
import { type Keep, notStarted, runProcess } from './run-process.ts'

export interface LocalShellOptions {
  /** Bytes of output to keep. */
  keep?: Keep
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
        : runLocally(request, options.keep),
  }
}

function runLocally(request: ShellRequest, keep: Keep | undefined): Promise<ShellResult> {
  const mark = newMark()
  const launch = {
    program: 'sh',
    args: ['-c', START, 'sh', request.command],
    cwd: request.cwd,
    environment: { ...childEnvironment(process.env), [COMMAND_MARK]: mark },
    end: (pid: number) => endProcesses(pid, `${COMMAND_MARK}=${mark}`),
  }
  return runProcess(request, launch, keep)
}
