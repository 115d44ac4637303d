import type { Shell } from '../../ports/shell.ts'
import { bubblewrap } from './bubblewrap.ts'
import { forgetWorking } from './kept-probe.ts'
import { localShell } from './local-shell.ts'
import { privateFolder } from './private-folder.ts'
import { type Keep, notStarted } from './run-process.ts'

export interface ShellOptions {
  /** `auto`: confined where that works; `required`: confined or not at all; `off`: never confined. */
  sandbox: 'auto' | 'required' | 'off'
  network: boolean
  /** Our own folders, which a command may not see. */
  ours?: readonly string[]
  keep?: Keep
  /** A file in which it is noted that the sandbox works here. */
  probe?: string
}

/**
 * The shell for this machine and config. Whether a sandbox works is found out when somebody first asks, not at start.
 * Nothing a model sends can change what was chosen here.
 */
export function openShell({ sandbox, network, ours, keep, probe }: ShellOptions): Shell {
  const local = localShell({ keep, ahead: true })
  if (sandbox === 'off') return local
  return {
    get confines() {
      return bubblewrap(probe).works
    },
    scratch: privateFolder,
    async run(request) {
      const found = bubblewrap(probe)
      if (found.works) {
        const { sandboxShell } = await import('./sandbox-shell.ts')
        const result = await sandboxShell({ network, ours, keep, ahead: true }).run(request)
        if (probe !== undefined && result.ended_by === 'start_failed') forgetWorking(probe)
        return result
      }
      if (sandbox === 'auto') return local.run(request)
      return notStarted(noSandbox())
    },
  }
}

/** Why a config that requires a sandbox cannot be carried out here. */
export function noSandbox(): string {
  const found = bubblewrap()
  return found.works ? '' : `the config requires a sandbox (execution.sandbox), and ${found.problem}`
}
