import type { ChildProcessByStdio } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'

export interface Match {
  path: string
  line: number
  text: string
}

export interface SearchResult {
  matches: Match[]
  /** Why there may be more than these. */
  cut?: 'limit' | 'timeout' | 'cancel'
  /** What ripgrep said when it could not search. */
  error?: string
}

const TIMEOUT_MS = 30_000
const MAX_ERROR = 2_000

/**
 * Runs ripgrep without a shell and without its config file, and ends it once there are enough matches. It follows no
 * links, but opens files by name: what swaps a folder for a link during a search is stopped only by a sandbox.
 */
export async function ripgrep(
  args: string[],
  options: { cwd: string; limit: number; signal: AbortSignal },
): Promise<SearchResult> {
  const program = ripgrepProgram()
  if (!program) return { matches: [], error: 'ripgrep is not installed; install the dependencies again' }
  if (options.signal.aborted) return { matches: [], cut: 'cancel' }
  const child = await start(program, args, options.cwd)
  if (child instanceof Error) return { matches: [], error: `ripgrep was not started: ${child.message}` }

  return new Promise((resolve) => {
    const result: SearchResult = { matches: [] }
    let rest: Buffer = Buffer.alloc(0)
    let errors = ''

    const stop = (why: 'limit' | 'timeout' | 'cancel'): void => {
      result.cut ??= why
      child.kill('SIGKILL')
    }
    const cancel = (): void => stop('cancel')
    const timer = setTimeout(() => stop('timeout'), TIMEOUT_MS)
    options.signal.addEventListener('abort', cancel, { once: true })
    const finish = (error: string): void => {
      clearTimeout(timer)
      options.signal.removeEventListener('abort', cancel)
      resolve(error && !result.cut ? { ...result, error } : result)
    }

    child.stdout.on('data', (chunk: Buffer) => {
      if (result.cut) return
      rest = takeMatches(Buffer.concat([rest, chunk]), result.matches)
      if (result.matches.length <= options.limit) return
      result.matches.length = options.limit
      stop('limit')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < MAX_ERROR) errors += text
    })
    child.once('close', () => finish(errors.trim().slice(0, MAX_ERROR)))
  })
}

/** Its environment is empty: what it finds must not depend on whose machine it is, and it needs no keys. */
async function start(
  program: string,
  args: string[],
  cwd: string,
): Promise<ChildProcessByStdio<null, Readable, Readable> | Error> {
  const { spawn } = await import('node:child_process')
  try {
    const child = spawn(program, [...OUTPUT, ...args], {
      cwd,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    const failure = new Promise<Error>((resolve) => child.once('error', resolve))
    return child.pid === undefined ? await failure : child
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** `path NUL line:text`, clipped by ripgrep itself: a line of megabytes never gets here. */
const OUTPUT = [
  ...['--no-config', '--no-messages', '--color=never', '--no-heading', '--with-filename', '--line-number'],
  ...['--null', '--max-columns=300', '--max-columns-preview', '--no-follow'],
]

let program: string | undefined

/** Asked for only when a search runs. npm brings the package for this machine alone. */
export function ripgrepProgram(): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  try {
    program ??= createRequire(import.meta.url).resolve(
      `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`,
    )
  } catch {
    return undefined
  }
  return program
}

/** Takes the complete records off the front and returns what is left. */
function takeMatches(bytes: Buffer, matches: Match[]): Buffer {
  let start = 0
  for (;;) {
    const nul = bytes.indexOf(0, start)
    const colon = nul < 0 ? -1 : bytes.indexOf(58, nul)
    const end = colon < 0 ? -1 : bytes.indexOf(10, colon)
    if (end < 0) return bytes.subarray(start)
    matches.push({
      path: bytes.toString('utf8', start, nul).replace(BINARY_NOTE, '').replace(/^\.\//u, ''),
      line: Number(bytes.toString('latin1', nul + 1, colon)),
      text: bytes.toString('utf8', colon + 1, end).replace(/\r$/u, ''),
    })
    start = end + 1
  }
}

/** A line of its own that ripgrep prints, with no NUL in it, when a file turns out to be binary after a match. */
const BINARY_NOTE = /^(?:[^\n]* byte around offset \d+\)\n)+/u
