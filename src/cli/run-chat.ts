import { DEFAULT_ITERATIONS } from '../core/turn/steps.ts'
import type { Engine } from '../engine/engine.ts'
import type { OnPending } from '../headless/answer-policy.ts'
import { CommandRefused, type HeadlessEnd, type HeadlessOptions, runHeadless } from '../headless/headless.ts'
import type { Journal } from '../ports/journal.ts'
import type { PermissionMode } from '../schema/chat-config.ts'
import type { RunMessageSettings } from '../schema/command.ts'
import type { ChatId } from '../schema/ids.ts'
import type { NamedPicture } from '../schema/picture.ts'
import type { Reach } from '../schema/reach.ts'
import { neutralize } from '../view/neutralize.ts'
import { INTERACTIVE_AGENT, type Roster, findAgents } from './agents.ts'
import type { Args } from './args.ts'
import { composeEngine } from './compose.ts'
import { Exit, type ExitCode, codeOf, exitCodes } from './exit-codes.ts'
import { writeOut } from './output.ts'
import { chooseTeam, isTurn, runSettings } from './team.ts'

/** What a headless command has to work with before its chat runs. */
export interface Desk {
  engine: Engine
  journal: Journal
  folder: string
  /** The first agent of the team, or the only one. */
  agent_id: string
  settings: ReturnType<typeof readSettings> & { reach?: Reach }
  /** Puts a message to whoever answers in this chat: one agent, or a team. */
  ask: (text: string, chat: ChatId) => Promise<Pick<HeadlessOptions, 'message' | 'run'>>
}

export type Start = Pick<HeadlessOptions, 'chat_id' | 'message' | 'run' | 'execute' | 'answer'>

/** Puts the engine together, has a chat opened, runs it to the end of its turn and says how that went. */
export async function runChat(
  args: Args,
  folder: string,
  open: (desk: Desk) => Promise<Start>,
): Promise<{ code: ExitCode; end: HeadlessEnd }> {
  const roster = await findAgents(args, folder)
  const talks = roster.interactive?.enabled === true
  const ids = talks ? [INTERACTIVE_AGENT] : chooseTeam(args, roster).agents.map(({ id }) => id)
  const agent_id = ids[0] ?? ''
  const reach = await readReach(args, roster, folder)
  const { engine, journal, agent } = await composeEngine(args, roster)
  const stop = new AbortController()
  const release = onInterrupt(stop)
  const subscription = engine.subscribe()
  try {
    // A wrong backend is reported before anything is stored.
    await Promise.all(ids.map(agent))
    const settings = { ...readSettings(args, roster), ...(reach && { reach }) }
    const pictures = await findPictures(args, engine, folder)
    const ask: Desk['ask'] = async (text, chat) => {
      const { config } = await engine.open(chat)
      const team = chooseTeam(args, roster, config)
      const said = { text, ...(pictures && { pictures }) }
      if (talks) return { message: { ...said, agent_id, settings } }
      if (isTurn(team)) return { message: { ...said, agent_id: team.agents[0]?.id ?? agent_id, settings } }
      const { reach: _, ...turn } = settings
      const context_paths = reach?.context ?? []
      const plan = config.agent_mode === 'Plan'
      const usual = runSettings(roster, team, { turn, context_paths, plan })
      return { run: { ...said, settings: withFlags(args, usual) } }
    }
    const start = await open({ engine, journal, folder, agent_id, settings, ask })
    const end = await runHeadless(engine, {
      ...start,
      subscription,
      format: (args.value('output-format') ?? 'text') as 'text' | 'json' | 'stream-json',
      on_pending: (args.value('on-pending') ?? 'fail') as OnPending,
      override: args.value('override'),
      verbose: args.has('verbose'),
      // A run of a team keeps to the time of the config by itself.
      timeout_s: args.number('timeout') ?? (start.run ? undefined : roster.timeout_s),
      ...(args.has('timeout') ? {} : { timeout_name: 'orchestrator_timeout_seconds' }),
      out: writeOut,
      warn: say,
      ...(showsProgress(args) && { progress: (text: string) => process.stderr.write(text) }),
      signal: stop.signal,
    })
    return { code: explainEnd(end, stop.signal), end }
  } catch (error) {
    throw error instanceof CommandRefused ? new Exit(exitCodes.input, error.message) : error
  } finally {
    release()
    await engine.close()
  }
}

/** Who is to present was said already, and the whole of the time is what `--timeout` says. */
function withFlags(args: Args, settings: RunMessageSettings): RunMessageSettings {
  const { override, timeouts } = settings
  const run_ms = Math.min(timeouts.run_ms, (args.number('timeout') ?? Infinity) * 1000)
  return {
    ...settings,
    override: args.has('override') ? 'ask' : override,
    timeouts: { ...timeouts, run_ms },
  }
}

async function findPictures(args: Args, engine: Engine, folder: string): Promise<NamedPicture[] | undefined> {
  const files = args.values('image')
  if (files.length === 0) return undefined
  return (await import('./read-pictures.ts')).readPictures(engine, files, folder)
}

export async function readReach(args: Args, roster: Roster, folder: string): Promise<Reach | undefined> {
  if (!args.has('context-path') && !roster.context_paths?.length) return undefined
  const { findReach } = await import('./context-paths.ts')
  return findReach(args, roster, folder)
}

/** What turns of this start may do. */
export function readSettings(args: Args, { permissions, budget }: Roster) {
  return {
    permission: (args.value('permission-mode') ?? 'deny') as PermissionMode,
    max_iterations: args.number('max-iterations') ?? DEFAULT_ITERATIONS,
    // A limit the user named is a limit; the usual one is a question, which `approve` answers with yes.
    on_limit: args.value('on-pending') === 'approve' && !args.has('max-iterations') ? 'ask' : 'stop',
    reflect: 'changed',
    max_tokens: args.number('max-tokens') ?? budget?.max_tokens,
    max_usd: args.number('max-budget-usd') ?? budget?.max_usd,
    rules: permissions ?? [],
  } as const
}

function showsProgress(args: Args): boolean {
  return !args.has('quiet') && (process.stderr.isTTY || args.has('verbose'))
}

/** The first Ctrl-C ends the turn and keeps what was done; the second ends the program. */
function onInterrupt(stop: AbortController): () => void {
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted)
    stop.abort()
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt)
  // Nobody reads any more, as in `| head -1`.
  const closed = () => stop.abort()
  process.stdout.on('error', closed)
  return () => {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interrupt)
    process.stdout.off('error', closed)
  }
}

/** The exit code, and on stderr what to do next. */
function explainEnd({ result, failure, unsent }: HeadlessEnd, stop: AbortSignal): ExitCode {
  const { status, chat_id } = result
  if (unsent) say(`the prompt was not sent: ${chat_id} has an unfinished turn before it`)
  switch (status) {
    case 'complete':
      return exitCodes.done
    case 'pending':
      say(`${chat_id} waits for you; answer with: conclave answer -r ${chat_id} <choice>`)
      return exitCodes.pending
    case 'cancelled':
      // Ended by --on-pending: guidance was asked for and could not be given.
      return stop.aborted ? exitCodes.interrupted : exitCodes.pending
    case 'limit':
    case 'failed':
      if (failure) say([failure.message, failure.hint].filter(Boolean).join('\n'))
      return failure ? codeOf(failure) : exitCodes.failed
  }
}

export const say = (text: string): void => void process.stderr.write(`conclave: ${neutralize(text)}\n`)
