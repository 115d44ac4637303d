import { type Args, parseArgs, usage } from './args.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { suggest } from '../config/suggest.ts'
import { watchOutput } from './output.ts'
import { neutralize } from '../view/neutralize.ts'

type Command = (args: Args) => Promise<number>

/** Commands by their first word; each is loaded when it is called. */
const commands: Record<string, () => Promise<Command>> = {
  plan: async () => (await import('./commands/plan.ts')).plan,
  'execute-plan': async () => (await import('./commands/execute-plan.ts')).executePlan,
  answer: async () => (await import('./commands/answer.ts')).answer,
  demo: async () => (await import('./commands/demo.ts')).demo,
  init: async () => (await import('./commands/init.ts')).init,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  docker: async () => (await import('./commands/docker.ts')).docker,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  replay: async () => (await import('./commands/replay.ts')).replay,
  trust: async () => (await import('./commands/trust.ts')).trust,
  attach: async () => (await import('./commands/attach.ts')).attach,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  config: async () => (await import('./commands/config.ts')).config,
  completion: async () => (await import('./commands/completion.ts')).completion,
  project: async () => (await import('./commands/project.ts')).project,
}

/** Words of the public interface that have no command yet. */
const later = ['worker', 'acp']

/** Runs one command and returns the exit code. */
export async function run(argv: string[], version: string): Promise<number> {
  const output = watchOutput()
  try {
    return await output.finish(await dispatch(parseArgs(argv, version)))
  } catch (error) {
    const known = await describe(error)
    if (!known) throw error
    process.stderr.write(`conclave: ${neutralize(known.message)}\n`)
    return output.finish(known.code)
  }
}

async function dispatch(args: Args): Promise<number> {
  if (args.has('help')) {
    const { help } = await import('./commands/help.ts')
    process.stdout.write(help(args.version))
    return exitCodes.done
  }
  if (args.has('version')) {
    process.stdout.write(`${args.version}\n`)
    return exitCodes.done
  }
  if (args.has('print')) return (await import('./commands/print.ts')).print(args)
  const [word = ''] = args.words
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (command) return (await command())({ ...args, words: args.words.slice(1) })
  if (later.includes(word)) throw new Exit(exitCodes.usage, `conclave ${word} is not in this version yet`)
  const meant =
    args.words.length === 1 && !word.includes(' ') ? suggest(word, Object.keys(commands)) : undefined
  if (meant) throw usage(`unknown command ${word}; did you mean ${meant}?`)
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw usage('the terminal UI needs a terminal for input and output; without one use conclave -p "…"')
  return (await import('./commands/tui.ts')).tui(args)
}

async function describe(error: unknown): Promise<{ message: string; code: number } | undefined> {
  if (error instanceof Exit) return error
  const { JournalError } = await import('../ports/journal.ts')
  if (error instanceof JournalError)
    return { message: `${error.message}\n${error.hint}`, code: exitCodes.failed }
  const { ChatInUse } = await import('../engine/engine.ts')
  return error instanceof ChatInUse ? { message: error.message, code: exitCodes.failed } : undefined
}
