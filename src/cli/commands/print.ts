import type { Engine } from '../../engine/engine.ts'
import { type HeadlessEnd, runHeadless } from '../../headless/headless.ts'
import type { OnPending } from '../../headless/answer-policy.ts'
import type { PermissionMode } from '../../schema/chat-config.ts'
import type { ChatId } from '../../schema/ids.ts'
import { neutralize } from '../../view/neutralize.ts'
import { chooseAgent, findAgents } from '../agents.ts'
import { type Args, usage } from '../args.ts'
import { composeEngine } from '../compose.ts'
import { Exit, type ExitCode, codeOf, exitCodes } from '../exit-codes.ts'
import { findChat } from '../find-chat.ts'
import type { FlagName } from '../flags.ts'
import { writeOut } from '../output.ts'
import { findFolder } from '../places.ts'
import { readStdin } from '../stdin.ts'

/** Flags of the public interface that this version does not carry out; ignoring them would be a lie. */
const later: FlagName[] = ['multi', 'refine', 'strategy', 'context-path', 'override', 'docker', 'interactive']

/** `conclave -p`: one message, answered on stdout. */
export async function print(args: Args): Promise<ExitCode> {
  const flag = later.find((name) => args.has(name))
  if (flag) throw new Exit(exitCodes.usage, `--${flag} is not in this version yet`)
  const folder = findFolder(args)
  const prompt = await readPrompt(args)
  const roster = await findAgents(args, folder)
  const { id: agent_id } = chooseAgent(roster, args)
  const { engine, journal, agent } = await composeEngine(args, roster)
  const stop = new AbortController()
  const release = onInterrupt(stop)
  const subscription = engine.subscribe()
  try {
    await agent(agent_id)
    const earlier =
      args.has('continue') || args.has('resume') ? await findChat(journal, args, folder) : undefined
    const chat_id = await openChat(engine, args, { earlier, folder, prompt })
    const end = await runHeadless(engine, {
      chat_id,
      subscription,
      ...(prompt && { message: { text: prompt, agent_id, settings: readSettings(args) } }),
      format: (args.value('output-format') ?? 'text') as 'text' | 'json' | 'stream-json',
      on_pending: (args.value('on-pending') ?? 'fail') as OnPending,
      verbose: args.has('verbose'),
      timeout_s: args.number('timeout'),
      out: writeOut,
      ...(showsProgress(args) && { progress: (text: string) => process.stderr.write(text) }),
      signal: stop.signal,
    })
    return explainEnd(end, stop.signal)
  } finally {
    release()
    await engine.close()
  }
}

async function readPrompt(args: Args): Promise<string> {
  const given = [args.value('print'), ...args.words].filter((part) => part !== undefined).join(' ')
  const piped = await readStdin()
  const prompt = [given, piped].filter((part) => part.trim()).join('\n\n')
  const resumes = args.has('continue') || args.has('resume')
  if (!prompt && !resumes) throw new Exit(exitCodes.input, 'the prompt is empty: conclave -p "what to do"')
  return prompt
}

interface Opening {
  earlier: { chat_id: ChatId; status: string } | undefined
  folder: string
  prompt: string
}

async function openChat(engine: Engine, args: Args, { earlier, folder, prompt }: Opening): Promise<ChatId> {
  if (args.has('fork') && !earlier) throw usage('--fork needs -c or -r <chat>')
  if (earlier && !args.has('fork')) {
    if (!prompt && earlier.status !== 'working') {
      throw new Exit(exitCodes.input, `${earlier.chat_id} has nothing unfinished: give it a prompt`)
    }
    return earlier.chat_id
  }
  if (!prompt) throw new Exit(exitCodes.input, 'a fork needs a prompt')
  const chat_id = engine.newChatId()
  const created = await engine.execute({
    type: 'create_chat',
    chat_id,
    folder,
    title: titleOf(prompt),
    agent_mode: args.has('plan') ? 'Plan' : 'Act',
    ...(earlier && { fork: { chat_id: earlier.chat_id } }),
  })
  if (!created.accepted) throw new Error(created.reason)
  return chat_id
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

function readSettings(args: Args) {
  return {
    permission: (args.value('permission-mode') ?? 'deny') as PermissionMode,
    max_iterations: args.number('max-iterations') ?? 15,
    reflect: 'changed',
    max_tokens: args.number('max-tokens'),
    max_usd: args.number('max-budget-usd'),
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
      say(
        `${chat_id} waits for a person; answer with: conclave -p -r ${chat_id} --on-pending approve|default`,
      )
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

const say = (text: string): void => void process.stderr.write(`conclave: ${neutralize(text)}\n`)
