import { closeSync, existsSync, mkdirSync, openSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Shell, ShellRequest, ShellResult } from '../../ports/shell.ts'
import { type Bubblewrap, bubblewrap } from './bubblewrap.ts'
import { childEnvironment } from './child-environment.ts'
import { endSandbox } from './end-sandbox.ts'
import { privateFolder } from './private-folder.ts'
import { protectFolder } from './protect-folder.ts'
import { canBeRead, identify, makeReady, takeReady, waitForCommand } from './ready-process.ts'
import { type Keep, type Launch, notStarted, runProcess, spawnOptions } from './run-process.ts'
import { layReach, mayWrite, setAside, writableFolders } from './reach-layers.ts'
import { sandboxArguments } from './sandbox-arguments.ts'
import { seccompFilter } from './seccomp-filter.ts'

export interface SandboxShellOptions {
  /** Lets commands that may write use the network; those that may only look never do. */
  network?: boolean
  /** Our own folders, which a command may not see. */
  ours?: readonly string[]
  /** Bytes of output to keep. */
  keep?: Keep
  /** Start the sandbox for the next command that only looks ahead of it. */
  ahead?: boolean
}

/**
 * Joins stderr to stdout, so that their lines stay in order, bounds the number of processes, and becomes bash, or sh
 * where there is none. The command itself is an argument: what was approved is byte for byte what runs.
 */
const PREPARE = 'exec 2>&1; { ulimit -u 2048 || ulimit -p 2048; } 2>/dev/null; '
const START = `${PREPARE}if command -v bash >/dev/null; then exec bash -c "$1"; fi; exec sh -c "$1"`

/** Go builds nothing without a cache it can write. */
const IN_SANDBOX = { TMPDIR: '/tmp', GOCACHE: '/tmp/go-build' }

/** Somewhere on the machine something was unmounted while the sandbox was made, as with every container that ends. */
const UNMOUNTED = /^the command was not started: bwrap: .*(apply mount flags|Can't bind mount|Can't remount)/
const MOST_TRIES = 5

/** The first open file after stdin, stdout and stderr. */
const FILTER = 3

/**
 * Runs commands in bubblewrap: the whole file system read-only, the granted folder writable where that is allowed, no
 * network, no secrets, no way to another process, and an end with us however we end.
 */
export function sandboxShell(options: SandboxShellOptions = {}): Shell {
  return {
    confines: true,
    scratch: privateFolder,
    async run(request) {
      const found = bubblewrap()
      if (!found.works) return notStarted(found.problem)
      for (let tries = 1; ; tries += 1) {
        const result = await runConfined(request, found, options)
        const again = result.ended_by === 'start_failed' && UNMOUNTED.test(result.output)
        if (!again || tries === MOST_TRIES) return result
      }
    },
  }
}

async function runConfined(
  request: ShellRequest,
  { program, nested }: Extract<Bubblewrap, { works: true }>,
  options: SandboxShellOptions,
): Promise<ShellResult> {
  const { access } = request
  const folder = resolveFolder(request.cwd)
  if (folder === undefined) return notStarted(`the folder ${JSON.stringify(request.cwd)} does not exist`)
  const { emptyFile, emptyFolder, filters, temporary } = furnish(folder)
  const ground = request.reach
    ? layReach(request.reach, access)
    : { layers: [{ path: folder, access }], absent: [] }
  if ('problem' in ground) return notStarted(ground.problem)
  const { layers, absent } = ground
  const protections = writableFolders(layers).map((path) =>
    protectFolder(path, emptyFolder, (entry) => mayWrite(layers, entry)),
  )
  const filter = filters[access]
  const descriptors = filter === undefined ? [] : [openSync(filter, 'r')]
  const args = sandboxArguments({
    folder,
    access,
    layers,
    network: access === 'write' && options.network === true,
    nested,
    ours: [privateFolder(), ...(options.ours ?? [])],
    emptyFile,
    temporary,
    protection: protections.flatMap(({ mounts }) => mounts),
    ...(filter !== undefined && { filter: FILTER }),
  })
  const launch: Launch = {
    program,
    args: [...args, 'sh', '-c', START, 'sh', request.command],
    cwd: '/',
    // Bubblewrap's own environment can be read inside, so it gets no other one than the command.
    environment: { ...childEnvironment(process.env), ...IN_SANDBOX },
    descriptors,
    complains: true,
    end: endSandbox,
  }
  const ahead = options.ahead === true && access === 'read' && canBeRead(request.command)
  const key = ahead
    ? JSON.stringify([program, args, launch.environment, layers.map(({ path }) => identify(path))])
    : ''
  const child = ahead ? takeReady(key) : undefined
  const ready = child && { child, input: `${request.command}\0` }
  const running = runProcess(request, { ...launch, ...(ready && { ready }) }, options.keep)
  if (ahead) setImmediate(() => startAhead(key, launch, args, filter))
  const result = await running.finally(() => descriptors.forEach((descriptor) => closeSync(descriptor)))
  const reports = [...protections.flatMap(({ finish }) => finish()), ...setAside(absent)]
  return reports.length === 0 ? result : { ...result, output: withReports(result.output, reports) }
}

/** The next sandbox, from the same parts; if anything about them changes meanwhile, it is not used. */
function startAhead(key: string, launch: Launch, args: string[], filter: string | undefined): void {
  makeReady(key, () => {
    const descriptors = filter === undefined ? [] : [openSync(filter, 'r')]
    const { spawn } = process.getBuiltinModule('node:child_process')
    try {
      const wait = [...args, ...waitForCommand(PREPARE)]
      return spawn(launch.program, wait, spawnOptions({ ...launch, descriptors }, 'pipe'))
    } finally {
      descriptors.forEach((descriptor) => closeSync(descriptor))
    }
  })
}

function resolveFolder(cwd: string): string | undefined {
  try {
    return realpathSync.native(cwd)
  } catch {
    return undefined
  }
}

function withReports(output: string, reports: string[]): string {
  const gap = output === '' || output.endsWith('\n') ? '' : '\n'
  return `${output}${gap}${reports.map((report) => `[conclave: ${report}]\n`).join('')}`
}

interface Furniture {
  emptyFile: string
  emptyFolder: string
  filters: { read?: string; write?: string }
}

let furniture: Furniture | undefined
const temporaries = new Map<string, string>()

/** What every sandbox needs, made once; and a `/tmp` for all commands in one folder. */
function furnish(folder: string): Furniture & { temporary: string } {
  const home = privateFolder()
  furniture ??= makeFurniture(home)
  let temporary = temporaries.get(folder)
  if (temporary === undefined || !existsSync(temporary)) {
    temporary = join(home, `tmp-${temporaries.size}`)
    mkdirSync(temporary, { recursive: true, mode: 0o700 })
    temporaries.set(folder, temporary)
  }
  return { ...furniture, temporary }
}

function makeFurniture(home: string): Furniture {
  const emptyFile = join(home, 'nothing')
  const emptyFolder = join(home, 'empty')
  writeFileSync(emptyFile, '', { mode: 0o444 })
  mkdirSync(emptyFolder, { mode: 0o555 })
  return {
    emptyFile,
    emptyFolder,
    filters: {
      ...writeFilter(join(home, 'read.bpf'), 'read'),
      ...writeFilter(join(home, 'write.bpf'), 'write'),
    },
  }
}

function writeFilter(path: string, access: 'read' | 'write'): Partial<Record<'read' | 'write', string>> {
  const filter = seccompFilter({ unixSockets: access === 'write' })
  if (!filter) return {}
  writeFileSync(path, filter, { mode: 0o400 })
  return { [access]: path }
}
