import { DEFAULT_ITERATIONS } from '../core/turn/steps.ts'
import type { Engine } from '../engine/engine.ts'
import type { OnPending } from '../headless/answer-policy.ts'
import { CommandRefused, type HeadlessEnd, type HeadlessOptions, runHeadless } from '../headless/headless.ts'
import type { Journal } from '../ports/journal.ts'
import type { PermissionMode } from '../schema/chat-config.ts'
import { neutralize } from '../view/neutralize.ts'
import { type Roster, chooseAgent, findAgents } from './agents.ts'
import type { Args } from './args.ts'
import { composeEngine } from './compose.ts'
import { Exit, type ExitCode, codeOf, exitCodes } from './exit-codes.ts'
import type { FlagName } from './flags.ts'
import { writeOut } from './output.ts'

/** What a headless command has to work with before its chat runs. */
export interface Desk {
  engine: Engine
  journal: Journal
  folder: string
  agent_id: string
  settings: ReturnType<typeof readSettings>
}

export type Start = Pick<HeadlessOptions, 'chat_id' | 'message' | 'execute' | 'answer'>

/** Flags of the public interface that this version does not carry out; ignoring them would be a lie. */
const later: FlagName[] = ['multi', 'refine', 'strategy', 'context-path', 'override', 'docker', 'interactive']

export function checkFlags(args: Args): void {
  const flag = later.find((name) => args.has(name))
  if (flag) throw new Exit(exitCodes.usage, `--${flag} is not in this version yet`)
}

/** Puts the engine together, has a chat opened, runs it to the end of its turn and says how that went. */
export async function runChat(
  args: Args,
  folder: string,
  open: (desk: Desk) => Promise<Start>,
): Promise<{ code: ExitCode; end: HeadlessEnd }> {
  const roster = await findAgents(args, folder)
  const { id: agent_id } = chooseAgent(roster, args)
  const { engine, journal, agent } = await composeEngine(args, roster)
  const stop = new AbortController()
  const release = onInterrupt(stop)
  const subscription = engine.subscribe()
  try {
    await agent(agent_id)
    const start = await open({ engine, journal, folder, agent_id, settings: readSettings(args, roster) })
    const end = await runHeadless(engine, {
      ...start,
      subscription,
      format: (args.value('output-format') ?? 'text') as 'text' | 'json' | 'stream-json',
      on_pending: (args.value('on-pending') ?? 'fail') as OnPending,
      verbose: args.has('verbose'),
      timeout_s: args.number('timeout') ?? roster.timeout_s,
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

function readSettings(args: Args, { permissions, budget }: Roster) {
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
