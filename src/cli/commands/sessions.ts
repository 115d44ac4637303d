import { dirname } from 'node:path'
import { openSqliteJournal } from '../../adapters/journal/sqlite-journal.ts'
import type { Journal } from '../../ports/journal.ts'
import { compactionReport } from '../../view/compaction.ts'
import { chatTranscript } from '../../view/chat-transcript.ts'
import { neutralize, safeJson } from '../../view/neutralize.ts'
import { type Args, usage } from '../args.ts'
import type { ChatId, RunId } from '../../schema/ids.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { findByName } from '../find-chat.ts'
import { forgetPictures, picturesOf } from '../forget-pictures.ts'
import { openPictures } from '../pictures.ts'
import { findJournal } from '../places.ts'
import { readChat } from '../read-chat.ts'

const HITS = 20

/** `conclave sessions list|show|search|export|rm|undo` */
export async function sessions(args: Args): Promise<number> {
  const [what = 'list', ...rest] = args.words
  const action = Object.hasOwn(actions, what) ? actions[what] : undefined
  if (!action) throw usage(`conclave sessions list|show|search|export|rm|undo, not "${what}"`)
  const journal = await openSqliteJournal({ path: findJournal(args) })
  try {
    await action(journal, rest, args)
    return exitCodes.done
  } finally {
    await journal.close()
  }
}

type Action = (journal: Journal, words: string[], args: Args) => Promise<void>

const actions: Record<string, Action | undefined> = {
  async list(journal, _words, args) {
    const chats = await journal.list('chat')
    if (args.value('output-format') === 'json') return print(`${safeJson(chats)}\n`)
    if (chats.length === 0) return print('No chats yet.\n')
    const lines = chats.map(
      ({ stream, title, folder, status, updated_at }) =>
        `${stream}  ${updated_at.slice(0, 16).replace('T', ' ')}  ${status.padEnd(9)}  ${title}  (${folder})`,
    )
    print(neutralize(`${lines.join('\n')}\n`))
  },

  async show(journal, words, args) {
    const name = oneOf(words, 'show <chat|run> [--compactions]')
    if (name.startsWith('run_')) return print(neutralize(await showRun(journal, name as RunId)))
    const { chat_id } = await findByName(journal, name)
    if (args.has('compactions'))
      return print(neutralize(compactionReport(chat_id, await journal.read(chat_id))))
    print(neutralize(chatTranscript(await readChat(journal, chat_id), { verbose: args.has('verbose') })))
  },

  async search(journal, words) {
    if (words.length === 0) throw usage('conclave sessions search <words>')
    const hits = await journal.search(words.join(' '), HITS)
    if (hits.length === 0) return print('Nothing found.\n')
    const lines = hits.map(
      ({ stream, title, excerpt }) => `${stream}  ${title}\n    ${excerpt.replaceAll('\n', ' ')}`,
    )
    print(neutralize(`${lines.join('\n')}\n`))
  },

  async export(journal, words, args) {
    const { chat_id } = await findByName(journal, oneOf(words, 'export <chat> [--format markdown|json]'))
    const chat = await readChat(journal, chat_id)
    if (args.value('format') === 'json')
      print(chat.envelopes.map((envelope) => `${safeJson(envelope)}\n`).join(''))
    else print(neutralize(chatTranscript(chat, { verbose: true })))
  },

  async undo(journal, words, args) {
    const name = oneOf(words, 'undo <chat|run> [--turn <id> | --step <call>]')
    const { undoChat } = await import('./sessions-undo.ts')
    if (!name.startsWith('run_')) return undoChat(journal, (await findByName(journal, name)).chat_id, args)
    const run = name as RunId
    await undoChat(journal, await chatOfRun(journal, run), args, undefined, run)
  },

  async rm(journal, words, args) {
    if (words.length === 0) throw usage('conclave sessions rm <chat> …')
    const chats = await Promise.all(words.map((name) => findByName(journal, name)))
    const ids = new Set(chats.map((chat) => chat.chat_id))
    const pictures = await picturesOf(journal, ids)
    for (const chat_id of ids) {
      await journal.remove(chat_id)
      print(`removed ${chat_id}\n`)
    }
    await forgetPictures(journal, pictures, openPictures(dirname(findJournal(args))))
  },
}

async function showRun(journal: Journal, run: RunId): Promise<string> {
  const events = await journal.read(run)
  if (events.length === 0)
    throw new Exit(exitCodes.input, `there is no run ${run}; see conclave sessions show <chat>`)
  const { runReport } = await import('../../view/run-report.ts')
  return runReport(events)
}

async function chatOfRun(journal: Journal, run: RunId): Promise<ChatId> {
  const [started] = await journal.read(run)
  if (started?.event.type === 'run.started') return started.event.chat_id
  throw new Exit(exitCodes.input, `there is no run "${run}"; see conclave sessions show <chat>`)
}

function oneOf(words: string[], form: string): string {
  const [word] = words
  if (word === undefined || words.length > 1) throw usage(`conclave sessions ${form}`)
  return word
}

const print = (text: string): void => void process.stdout.write(text)
