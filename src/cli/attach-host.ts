import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChatFeed, Client, Roster } from '../client/client.ts'
import type { HttpConnection } from '../client/http-connection.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { ConfigText, Host } from '../tui/host.ts'
import type { Args } from './args.ts'
import { keptTheme } from './kept-theme.ts'
import { findJournal } from './places.ts'
import { promptHistory } from './prompt-history.ts'
import { findBranch, listFiles } from './tui-host.ts'

interface Remote {
  client: Client
  connection: HttpConnection
  roster: Roster
  url: string
}

/** What the terminal needs when the engine is behind a server: what the person types is here, the work is there. */
export function remoteHost(args: Args, { client, connection, roster, url }: Remote): Host {
  const { folder, notice } = roster
  const history = promptHistory(join(dirname(findJournal(args)), 'prompts.jsonl'))
  const isHere = existsSync(folder)
  return {
    client: watched(client, url),
    roster,
    notices: [`attached to ${url}, which works in ${folder}`, ...(notice ? [notice] : [])],
    files: async () => (isHere ? listFiles(folder) : []),
    shell: async () => ({
      output: 'Commands of your own are not sent to a server: run them in a terminal where it works.',
      code: 1,
    }),
    history: history.read,
    remember: history.add,
    theme: keptTheme(join(dirname(findJournal(args)), 'theme')),
    branch: async () => (isHere ? findBranch(folder) : undefined),
    commands: async () => (await import('./user-commands.ts')).readUserCommands(),
    config: () => connection.get<ConfigText>('/api/config'),
    mcp: () => ({
      servers: [],
      tools: [],
      problems: ['the MCP servers are those of the server; look there'],
    }),
    undo: async (chat) => `Undo where the server runs, once it is stopped: conclave sessions undo ${chat}`,
    transcript: async (chat) => {
      const [{ readChat }, { chatTranscript }, { neutralize }] = await Promise.all([
        import('./read-chat.ts'),
        import('../view/chat-transcript.ts'),
        import('../view/neutralize.ts'),
      ])
      return neutralize(chatTranscript(await readChat(client, chat), { verbose: false }))
    },
  }
}

/** Says on stderr, which the screen shows, when the server is lost and when it is back. */
function watched(client: Client, url: string): Client {
  const say = (text: string): void => void process.stderr.write(`${text}\n`)
  return {
    ...client,
    async execute(command) {
      try {
        return await client.execute(command)
      } catch (error) {
        return {
          accepted: false,
          reason: `${url}: ${error instanceof Error ? error.message : String(error)}`,
        }
      }
    },
    async open(chat, options) {
      const feed = await client.open(chat, options)
      let lost = false
      feed.onConnection = (state) => {
        if (state === 'reconnecting' && !lost) say(`${url} does not answer; trying again`)
        if (state === 'connected' && lost) say(`connected to ${url} again`)
        lost = state === 'reconnecting'
      }
      return untilRefused(feed, (reason) => say(`${url}: ${reason}; attach again to go on`))
    },
  }
}

/** A server that was started again has another token: what comes of it is said, not thrown. */
function untilRefused(feed: ChatFeed, onRefused: (reason: string) => void): ChatFeed {
  const envelopes = feed[Symbol.asyncIterator].bind(feed)
  async function* iterate(): AsyncGenerator<Envelope> {
    try {
      yield* { [Symbol.asyncIterator]: envelopes }
    } catch (error) {
      onRefused(error instanceof Error ? error.message : String(error))
    }
  }
  return Object.assign(feed, { [Symbol.asyncIterator]: iterate })
}
