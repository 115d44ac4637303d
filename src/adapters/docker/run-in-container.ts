import type { ShellRequest, ShellResult } from '../../ports/shell.ts'
import { cappedOutput } from '../shell/capped-output.ts'
import { DRAIN_MS, KEEP, type Keep, atMost, collect, cutOff, notStarted } from '../shell/run-process.ts'
import type { Container } from './container.ts'
import { DockerError, type EngineApi } from './engine-api.ts'
import type { Exec } from './start-exec.ts'

/** The kernel takes no longer single argument. */
const LONGEST_COMMAND = 128 * 1024 - 1
const TERM_GRACE_MS = 300
/** After everything has been killed the output closes by itself. */
const CLOSE_MS = 1_000

/** Runs a command to its end, its timeout or its cancellation; then no process of it is left. */
export async function runInContainer(
  api: EngineApi,
  container: Container,
  request: ShellRequest,
  { environment = {}, keep = KEEP }: { environment?: Record<string, string>; keep?: Keep },
): Promise<ShellResult> {
  const { command, cwd, signal } = request
  if (signal.aborted) return { exit_code: null, output: '', ended_by: 'cancel' }
  if (command.includes('\0')) return notStarted('it contains a NUL character')
  if (Buffer.byteLength(command) > LONGEST_COMMAND)
    return notStarted('it is too long; put it into a file and run that')
  const place = { cwd, environment }
  try {
    for (;;) {
      const exec = await container.begin(command, place)
      const result = await follow(api, container, request, exec, keep)
      if (result === 'not begun') continue
      container.prepare(place)
      return result
    }
  } catch (error) {
    if (error instanceof DockerError) return notStarted(error.message)
    throw error
  }
}

async function follow(
  api: EngineApi,
  container: Container,
  request: ShellRequest,
  exec: Exec,
  keep: Keep,
): Promise<ShellResult | 'not begun'> {
  const output = cappedOutput(keep)
  const closed = collect(exec.output, output.add, request)
  const cut = cutOff(request)
  const early = await Promise.race([exec.ended, cut.happened])
  cut.forget()
  if (early) {
    await container.ask(exec.mark)
    await atMost(TERM_GRACE_MS, exec.ended)
  } else await atMost(DRAIN_MS, closed)
  await container.finish(exec.mark)
  await atMost(CLOSE_MS, closed)
  exec.stream.destroy()
  if (early) return { exit_code: null, output: output.text(), ended_by: early.by }
  if (!exec.hasBegun) return 'not begun'
  if (exec.exitCode !== undefined) return { exit_code: exec.exitCode, output: output.text() }
  return explainEnd(await inspect(api, exec.id), output.text(), exec.said)
}

/** Nothing was said about the end: it was not started, or killed together with what would have said it. */
function explainEnd(code: number | undefined, output: string, said: string): ShellResult {
  if (code === 126 || code === 127 || output.startsWith('OCI runtime'))
    return notStarted((output || said).trim() || 'the image has no shell')
  return { exit_code: null, output, ended_by: 'signal' }
}

async function inspect(api: EngineApi, exec: string): Promise<number | undefined> {
  try {
    const { ExitCode } = (await api.call('GET', `/exec/${exec}/json`)) as { ExitCode?: number | null }
    return ExitCode ?? undefined
  } catch {
    return undefined
  }
}
