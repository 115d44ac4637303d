import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Failure } from '../../schema/failure.ts'
import { bubblewrap } from '../shell/bubblewrap.ts'
import { privateFolder } from '../shell/private-folder.ts'
import { sandboxArguments } from '../shell/sandbox-arguments.ts'
import { seccompFilter } from '../shell/seccomp-filter.ts'
import type { Launch } from './agent-process.ts'
import { packageOf, statePaths } from './state-paths.ts'

/** Opens the kernel filter as file 3, where bubblewrap reads it. */
const WITH_FILTER = 'exec "$@" 3<"$0"'
const HIDDEN = ['/tmp', '/var/tmp']

/**
 * The same launch where nothing can be changed: the whole file system read-only, the agent's own state apart. The network
 * stays, because the agent has to reach its model.
 */
export function inPlanSandbox(
  launch: Launch,
  label: string,
  state: readonly string[] = [],
): Launch | { failure: Failure } {
  const found = bubblewrap()
  if (!found.works) return { failure: noSandbox(label, found.problem) }
  const folder = realpathSync.native(launch.cwd)
  const { filter, ...rooms } = furnish()
  const writable = statePaths(launch.command, folder, state)
  const args = sandboxArguments({
    folder,
    access: 'read',
    network: true,
    nested: found.nested,
    ours: [privateFolder()],
    ...rooms,
    protection: [
      ...ownFiles([launch.command, ...launch.args], folder).flatMap((path) => ['--ro-bind', path, path]),
      ...writable.flatMap((path) => ['--bind', path, path]),
    ],
    ...(filter !== undefined && { filter: 3 }),
  })
  const confined = [found.program, ...args, launch.command, ...launch.args]
  const [command = '', ...rest] =
    filter === undefined ? confined : ['sh', '-c', WITH_FILTER, filter, ...confined]
  return { ...launch, command, args: rest, cwd: '/', env: { ...launch.env, TMPDIR: '/tmp' } }
}

export const noSandbox = (label: string, problem: string): Failure => ({
  kind: 'sandbox',
  message: `acp agents need a sandbox in Plan mode, and there is none for ${label}: ${problem}`,
  hint: 'install bubblewrap, or use another agent to plan; in Act mode this one works without',
})

/** Programs below the temporary folders, which are empty inside. What is read-only already stays so. */
function ownFiles(command: readonly string[], folder: string): string[] {
  const packages = command.flatMap((word) => {
    if (!isAbsolute(word) || !existsSync(word)) return []
    const file = realpathSync.native(word)
    const top = HIDDEN.find((hidden) => file.startsWith(`${hidden}/`))
    return top === undefined ? [] : [packageOf(file, top)]
  })
  return [...new Set(packages)].filter((path) => !HIDDEN.includes(path) && path !== folder)
}

interface Furniture {
  emptyFile: string
  temporary: string
  filter: string | undefined
}

function furnish(): Furniture {
  const home = mkdtempSync(join(privateFolder(), 'acp-'))
  const [emptyFile, temporary, filter] = ['nothing', 'tmp', 'filter.bpf'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(emptyFile, '', { mode: 0o444 })
  mkdirSync(temporary, { mode: 0o700 })
  const bytes = seccompFilter({ unixSockets: false })
  if (bytes) writeFileSync(filter, bytes, { mode: 0o400 })
  return { emptyFile, temporary, filter: bytes && filter }
}
