import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Journal } from '../ports/journal.ts'
import type { ChatId } from '../schema/ids.ts'
import type { Booted } from '../tui/host.ts'
import { findAgents } from './agents.ts'
import type { Args } from './args.ts'
import { describeChanged } from './connect-mcp.ts'
import { keptTheme } from './kept-theme.ts'
import { findJournal } from './places.ts'
import { promptHistory } from './prompt-history.ts'

/**
 * Everything behind the screen: the engine in this process, and what the input needs of the machine. Loaded piece by
 * piece, so that what is typed meanwhile appears at once.
 */
export async function bootTui(args: Args, folder: string): Promise<Booted> {
  const found = await findAgents(args, folder)
  const { notice, ...quiet } = found
  await nextRound()
  const { composeEngine } = await import('./compose.ts')
  await nextRound()
  const { engine, journal, mcp } = await composeEngine(args, quiet)
  await nextRound()
  const { clientRoster } = await import('./client-roster.ts')
  const { inProcessClient } = await import('../client/in-process.ts')
  const roster = await clientRoster(args, quiet, folder)
  const chat = await chatToOpen(args, journal, folder)
  const history = promptHistory(join(dirname(findJournal(args)), 'prompts.jsonl'))
  return {
    host: {
      client: inProcessClient({ engine, journal, roster: async () => roster }),
      roster,
      notices: notice ? [notice] : [],
      files: () => listFiles(folder),
      shell: (line, signal) => runLine(line, folder, signal),
      history: history.read,
      remember: history.add,
      theme: keptTheme(join(dirname(findJournal(args)), 'theme')),
      branch: () => findBranch(folder),
      commands: async () => (await import('./user-commands.ts')).readUserCommands(),
      config: async () => (await import('./serve-parts.ts')).configReport(args, folder),
      mcp: () => ({
        servers: Object.keys(quiet.mcp_servers ?? {}),
        tools: (mcp?.tools ?? []).map(({ name, read_only }) => ({ name, read_only })),
        problems: [...(mcp?.problems ?? []), ...(mcp?.changed.map(describeChanged) ?? [])],
      }),
      undo: (id) => undo(args, journal, id),
      transcript: (id) => transcriptOf(journal, id),
    },
    ...(chat && { chat }),
  }
}

async function chatToOpen(args: Args, journal: Journal, folder: string): Promise<ChatId | undefined> {
  if (!args.has('continue') && !args.has('resume')) return undefined
  const { findChat } = await import('./find-chat.ts')
  return (await findChat(journal, args, folder)).chat_id
}

async function undo(args: Args, journal: Journal, chat: ChatId): Promise<string> {
  const { undoChat } = await import('./commands/sessions-undo.ts')
  const said: string[] = []
  try {
    await undoChat(journal, chat, args, (text) => said.push(text))
  } catch (error) {
    said.push(error instanceof Error ? error.message : String(error))
  }
  return said.join('\n')
}

async function transcriptOf(journal: Journal, chat: ChatId): Promise<string> {
  const [{ readChat }, { chatTranscript }, { neutralize }] = await Promise.all([
    import('./read-chat.ts'),
    import('../view/chat-transcript.ts'),
    import('../view/neutralize.ts'),
  ])
  return neutralize(chatTranscript(await readChat(journal, chat), { verbose: false }))
}

/** As ripgrep lists them: without what is ignored. */
export async function listFiles(folder: string): Promise<string[]> {
  const { ripgrepProgram } = await import('../tools/ripgrep.ts')
  const { output } = await run([ripgrepProgram() ?? 'rg', '--files', '--hidden', '--glob', '!.git'], folder)
  return output.split('\n').filter(Boolean).sort()
}

export async function findBranch(folder: string): Promise<string | undefined> {
  const { output, code } = await run(['git', 'symbolic-ref', '--short', '-q', 'HEAD'], folder)
  return code === 0 ? output.trim() || undefined : undefined
}

const runLine = (line: string, folder: string, signal: AbortSignal) =>
  run([process.env['SHELL'] || '/bin/sh', '-c', line], folder, signal)

/** More than this is not shown anyway. */
const MOST_OUTPUT = 2_000_000

function run(
  [program = '', ...args]: string[],
  cwd: string,
  signal?: AbortSignal,
): Promise<{ output: string; code: number | null }> {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], ...(signal && { signal }) })
    const take = (text: string) => {
      if (output.length < MOST_OUTPUT) output += text
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.once('error', (error) => resolve({ output: `${output}${error.message}`, code: null }))
    child.once('close', (code) => resolve({ output, code }))
  })
}
