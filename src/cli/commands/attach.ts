import { ClientError } from '../../client/client.ts'
import { HttpConnection, type HttpOptions } from '../../client/http-connection.ts'
import { httpClient } from '../../client/http.ts'
import type { Roster } from '../../client/client.ts'
import type { ChatId } from '../../schema/ids.ts'
import { startTui } from '../../tui/start.ts'
import { type Args, usage } from '../args.ts'
import { remoteHost } from '../attach-host.ts'
import { Exit, type ExitCode, exitCodes } from '../exit-codes.ts'
import { beginningOf } from './tui.ts'

/** `conclave attach <address>`: the terminal UI on a server that runs, beside its page and other terminals. */
export async function attach(args: Args): Promise<ExitCode> {
  const [address, ...words] = args.words
  const { chat: named, ...options } = readAddress(address)
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw usage('conclave attach needs a terminal for input and output')
  const client = httpClient(options)
  // Asked before the screen is taken over: what is wrong is told where one can read it.
  const roster = await client.roster().catch((error: unknown) => Promise.reject(explain(error, options.url)))
  const chat = named ?? (await chatToOpen(args, await client.chats(), roster))
  const connection = new HttpConnection(options)
  await startTui(beginningOf({ ...args, words }, roster.folder), async () => ({
    host: remoteHost(args, { client, connection, roster, url: options.url }),
    ...(chat && { chat }),
  }))
  return exitCodes.done
}

/** The address that `conclave serve` printed; the token can be in `CONCLAVE_TOKEN` instead, the chat after a `#`. */
function readAddress(address: string | undefined): HttpOptions & { chat?: ChatId } {
  const url = address === undefined ? null : URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw usage('conclave attach <address>: the address that conclave serve printed, http://…/?token=…')
  const token = url.searchParams.get('token') ?? process.env['CONCLAVE_TOKEN']
  if (!token) {
    throw new Exit(
      exitCodes.usage,
      `${url.origin} wants a token: give the whole address that conclave serve printed, or set CONCLAVE_TOKEN`,
    )
  }
  const chat = url.hash.slice(1)
  return { url: url.origin, token, ...(chat.startsWith('chat_') && { chat: chat as ChatId }) }
}

function explain(error: unknown, url: string): Exit {
  if (error instanceof ClientError && error.status === 401)
    return new Exit(
      exitCodes.credentials,
      `${url} does not take this token; a server that was started again has a new one`,
    )
  if (error instanceof ClientError) return new Exit(exitCodes.failed, `${url} refused: ${error.message}`)
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  return new Exit(
    exitCodes.failed,
    `nothing answers at ${url}${cause && ` (${cause})`}; is conclave serve running?`,
  )
}

async function chatToOpen(
  args: Args,
  chats: { chat_id: ChatId; folder: string }[],
  { folder }: Roster,
): Promise<ChatId | undefined> {
  const named = args.value('resume')?.replace(/^chat_/, '')
  if (named === undefined)
    return args.has('continue') ? chats.find((chat) => chat.folder === folder)?.chat_id : undefined
  const fitting = chats.filter(({ chat_id }) => {
    const id = chat_id.slice('chat_'.length)
    return named !== '' && (id.startsWith(named) || id.endsWith(named))
  })
  const [only, another] = fitting
  if (only && !another) return only.chat_id
  throw new Exit(
    exitCodes.input,
    only ? `"${named}" fits ${fitting.length} chats` : `the server has no chat "${named}"`,
  )
}
