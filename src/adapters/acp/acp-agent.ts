import { basename } from 'node:path'
import type { Model, ModelHost, ModelPart, ModelRequest } from '../../ports/model.ts'
import type { Failure } from '../../schema/failure.ts'
import { type Tether, findTether } from '../mcp/server-process.ts'
import { withoutSecrets } from '../models/keys/without-secrets.ts'
import { childEnvironment } from '../shell/child-environment.ts'
import { type Launch, startAgent } from './agent-process.ts'
import { connectAgent } from './connect-agent.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { tooSlow } from './failure.ts'
import { findProgram } from './find-program.ts'
import { type AcpLimits, type AcpOptions, acpLimits } from './options.ts'

export interface AcpAgent extends Model {
  /** Ends all its processes. Without it they end with ours, or when they were idle for long. */
  close(): Promise<void>
}

const SECRET = /key|token|secret|password|credential/i

/**
 * A coding agent of somebody else's as a backend, over the Agent Client Protocol. It uses tools of its own: what it asks
 * about is decided by our rules, what it did is recorded, and in Plan mode the kernel keeps it from changing anything.
 */
export function acpAgent(options: AcpOptions): AcpAgent {
  const { command, env = [] } = options
  const label = options.label ?? basename(command[0] ?? 'acp')
  const limits = { ...acpLimits, ...options.limits }
  const open = new Map<string, Conversation>()

  async function* stream(
    request: ModelRequest,
    signal: AbortSignal,
    host?: ModelHost,
  ): AsyncGenerator<ModelPart> {
    if (signal.aborted) return
    if (!host) return yield { type: 'failed', failure: noHost(label) }
    const key = request.cache_key ?? host.folder
    const kept = open.get(key)
    if (kept && !kept.busy && !kept.fits(host)) {
      open.delete(key)
      await kept.end('the chat goes on in another mode or folder')
    }
    const free = open.get(key)?.busy ? undefined : open.get(key)
    const conversation = free ?? (await start(options, { label, limits, request, signal, host }))
    if (conversation === undefined) return
    if ('failure' in conversation) return yield { type: 'failed', failure: conversation.failure }
    if (!open.has(key)) open.set(key, conversation)
    try {
      yield* conversation.prompt(request, signal, host, options.analyze)
    } finally {
      // Somebody talks to the agent of this chat at the same time, which keeps its place.
      if (open.get(key) !== conversation) await conversation.end('it is no longer needed')
    }
  }

  const secrets = env.filter((name) => SECRET.test(name)).map((name) => process.env[name])
  return {
    ...withoutSecrets({ label, stream }, secrets),
    async close() {
      const all = [...open.values()]
      open.clear()
      await Promise.all(all.map((conversation) => conversation.end('conclave was closed')))
    },
  }
}

interface Start {
  label: string
  limits: AcpLimits
  request: ModelRequest
  signal: AbortSignal
  host: ModelHost
}

/** Starts the agent and opens a session. Nothing when that was cancelled. */
async function start(
  options: AcpOptions,
  { label, limits, request, signal, host }: Start,
): Promise<Conversation | { failure: Failure } | undefined> {
  const launch = await prepare(options, label, host)
  if ('failure' in launch) return launch
  const process = startAgent(launch, launch.tether)
  const opening = (async () => {
    const connection = await connectAgent(process, label)
    return 'failure' in connection ? connection : openConversation(connection, request.messages, host, limits)
  })()
  const cut = cutOff(signal, limits.start_ms)
  const opened = await Promise.race([opening, cut.happened])
  cut.forget()
  if (typeof opened === 'object' && !('failure' in opened)) return opened
  const failure = opened === 'late' ? tooSlow(label, limits.start_ms, process) : undefined
  await process.end('it was not used')
  if (opened === 'cancelled') return undefined
  return failure ? { failure } : (opened as { failure: Failure })
}

async function prepare(
  { command, cwd, env = [], plan_mode = 'sandbox', state_paths, tether }: AcpOptions,
  label: string,
  host: ModelHost,
): Promise<(Launch & { tether: Tether }) | { failure: Failure }> {
  const [name = '', ...args] = command
  const program = findProgram(name, cwd ?? process.cwd())
  if ('failure' in program) return program
  const passed = env.flatMap((variable) => {
    const value = process.env[variable]
    return value === undefined ? [] : [[variable, value] as const]
  })
  const environment = { ...childEnvironment(process.env), ...Object.fromEntries(passed) }
  const launch = { command: program.path, args, cwd: host.folder, env: environment }
  // Whatever is not known to be Act is treated as Plan.
  if (host.chat_mode === 'Act') return { ...launch, tether: tether ?? (await findTether()) }
  const { inPlanSandbox, noSandbox } = await import('./plan-sandbox.ts')
  if (plan_mode === 'refuse') return { failure: noSandbox(label, 'its config says plan_mode: refuse') }
  const confined = inPlanSandbox(launch, label, state_paths)
  return 'failure' in confined ? confined : { ...confined, tether: 'none' }
}

function cutOff(
  signal: AbortSignal,
  ms: number,
): { happened: Promise<'cancelled' | 'late'>; forget(): void } {
  const { promise: happened, resolve } = Promise.withResolvers<'cancelled' | 'late'>()
  const timer = setTimeout(() => resolve('late'), ms)
  const cancel = (): void => resolve('cancelled')
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  return {
    happened,
    forget() {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    },
  }
}

const noHost = (label: string): Failure => ({
  kind: 'input',
  message: `${label} is an agent with tools of its own; it works in turns only`,
  hint: 'choose a model for this',
})
