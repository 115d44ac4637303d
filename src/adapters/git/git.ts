import type { ChildProcess } from 'node:child_process'
import { delimiter, isAbsolute } from 'node:path'

/** Where Git looks. `git_dir` is always a folder of ours: a project's own config is never read by our calls. */
export interface GitPlace {
  git_dir: string
  work_tree: string
  /** Objects and index of somebody else's repository, to be looked at. */
  objects?: string
  index?: string
}

export interface GitOptions {
  input?: string | Uint8Array
  timeout_ms?: number
  max_bytes?: number
  signal?: AbortSignal
}

export type GitResult = { ok: true; output: Buffer } | { ok: false; problem: string }

const TIMEOUT_MS = 60_000
const MAX_BYTES = 64 * 1024 * 1024
const MAX_ERROR = 2_000

/**
 * The only way we call Git. A repository can name programs for Git to run: its config can, and its attributes can choose
 * among them. So Git gets a config of ours alone, an environment of a few names, and no way to reach the network.
 */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitResult> {
  const { spawn } = await import('node:child_process')
  let child: ChildProcess
  try {
    child = spawn('git', [...OVERRIDES, ...args], {
      cwd: place.work_tree,
      env: environment(place),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
  } catch (error) {
    return { ok: false, problem: String(error) }
  }
  return collect(child, args, options)
}

function collect(child: ChildProcess, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { input, timeout_ms = TIMEOUT_MS, max_bytes = MAX_BYTES, signal } = options
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let errors = ''
    let cut = ''
    const stop = (why: string): void => {
      cut ||= why
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => stop(`took longer than ${timeout_ms} ms`), timeout_ms)
    const cancel = (): void => stop('was cancelled')
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) cancel()
    const finish = (result: GitResult): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      resolve(result)
    }
    const what = `git ${args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? ''}`
    child.once('error', (error: NodeJS.ErrnoException) => {
      finish({
        ok: false,
        problem: error.code === 'ENOENT' ? 'git is not installed' : `${what}: ${error.message}`,
      })
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > max_bytes) stop(`printed more than ${max_bytes} bytes`)
      else chunks.push(chunk)
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < MAX_ERROR) errors += text
    })
    child.once('close', (code) => {
      if (cut) finish({ ok: false, problem: `${what} ${cut}` })
      else if (code === 0) finish({ ok: true, output: Buffer.concat(chunks) })
      else
        finish({ ok: false, problem: `${what}: ${errors.trim().slice(0, MAX_ERROR) || `exit code ${code}`}` })
    })
    // It may end before it has read everything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}

/** Names of ours only. An empty home, so that nothing of the user's is read either: what we see must not depend on it. */
function environment({ git_dir, work_tree, objects, index }: GitPlace): Record<string, string> {
  return {
    PATH: (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter),
    HOME: git_dir,
    XDG_CONFIG_HOME: git_dir,
    LC_ALL: 'C',
    GIT_DIR: git_dir,
    GIT_WORK_TREE: work_tree,
    ...(objects !== undefined && { GIT_OBJECT_DIRECTORY: objects }),
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
    GIT_SSH_COMMAND: 'false',
  }
}

/** Said again although our own config does not set them: a second lock on the same door. */
const OVERRIDES = [
  '--no-pager',
  ...[
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'core.hooksPath=/dev/null',
    'core.attributesFile=/dev/null',
    'core.pager=cat',
    'core.editor=false',
    'core.askPass=false',
    'core.sshCommand=false',
    'core.alternateRefsCommand=false',
    'core.autocrlf=false',
    'core.safecrlf=false',
    'core.quotePath=false',
    'credential.helper=',
    'diff.ignoreSubmodules=all',
    'status.submoduleSummary=false',
    'submodule.recurse=false',
    'protocol.allow=never',
    'log.showSignature=false',
    'gc.auto=0',
    'maintenance.auto=false',
  ].flatMap((setting) => ['-c', setting]),
]
