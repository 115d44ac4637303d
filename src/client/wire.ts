import type { Command, MessageSettings } from '../schema/command.ts'
import type { Envelope, StoredEnvelope } from '../schema/envelope.ts'
import type { ChatId, RunId, StreamId, TurnId } from '../schema/ids.ts'
import type { NamedPicture } from '../schema/picture.ts'
import type { ChatHead } from '../view/chat-history.ts'
import type { Cursor } from './follow-chat.ts'

/**
 * Commands as a server takes them. A client says what it wants within what the server was started with: paths, rules,
 * tools and commands to run are the server's own.
 */
export type WireCommand =
  | Exclude<Command, { type: 'send_message' | 'execute_plan' | 'start_run' }>
  | Settled<'send_message'>
  | Settled<'execute_plan'>
  | {
      type: 'start_run'
      chat_id: ChatId
      text: string
      pictures?: NamedPicture[]
      team_mode: 'single' | 'multi'
      refinement: boolean
      /** Who takes part; everybody when absent. */
      agents?: string[]
    }

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

type Settled<T extends 'send_message' | 'execute_plan'> = Omit<CommandOf<T>, 'settings'> & {
  settings?: WireSettings
}

/** Each can only be narrower than what the server allows. */
export type WireSettings = Partial<
  Pick<MessageSettings, 'permission' | 'max_iterations' | 'on_limit' | 'reflect' | 'max_tokens' | 'max_usd'>
>

export function toWire(command: Command): WireCommand {
  switch (command.type) {
    case 'send_message':
    case 'execute_plan': {
      const { permission, max_iterations, on_limit, reflect, max_tokens, max_usd } = command.settings
      const settings = { permission, max_iterations, on_limit, reflect, max_tokens, max_usd }
      return { ...command, settings }
    }
    case 'start_run': {
      const { settings, ...message } = command
      const { team_mode, refinement, agents } = settings
      return { ...message, team_mode, refinement, agents: agents.map(({ id }) => id) }
    }
    default:
      return command
  }
}

/** The answer of `GET /api/chats/:id`. */
export interface WirePage {
  envelopes: StoredEnvelope[]
  unread: (TurnId | RunId)[]
  /** When the log was asked for by its end. */
  head?: ChatHead & { log: StoredEnvelope[] }
  /** Where `/api/events` goes on. */
  cursor: string
}

/** `chat_1:12,turn_2:40`: how far the logs that can still grow were delivered. */
export const writeCursor = (cursor: Cursor): string =>
  Array.from(cursor, ([stream, seq]) => `${stream}:${seq}`).join(',')

const LONGEST_CURSOR = 500

/** Undefined for what is no cursor. */
export function readCursor(text: string): Map<StreamId, number> | undefined {
  const cursor = new Map<StreamId, number>()
  const parts = text.split(',')
  if (parts.length > LONGEST_CURSOR) return undefined
  for (const part of parts) {
    const match = /^((?:chat|turn|run)_[\w-]{1,100}):(\d{1,12})$/.exec(part)
    if (!match?.[1]) return undefined
    cursor.set(match[1] as StreamId, Number(match[2]))
  }
  return cursor
}

/** One message of a server's event stream. */
export interface ServerSentEvent {
  id?: string
  event: string
  data: string
}

/** Splits what a server sends into messages; `feed` takes pieces as they come. Each is looked at once. */
export class EventReader {
  #pieces: string[] = []
  #id: string | undefined

  feed(piece: string): ServerSentEvent[] {
    const last = this.#pieces.at(-1)
    // An end can lie across two pieces.
    const crosses = last?.endsWith('\n') === true && piece.startsWith('\n')
    if (!crosses && !piece.includes('\n\n')) {
      if (piece !== '') this.#pieces.push(piece)
      return []
    }
    const blocks = [...this.#pieces, piece].join('').split('\n\n')
    const rest = blocks.pop() ?? ''
    this.#pieces = rest === '' ? [] : [rest]
    return blocks.flatMap((block) => this.#read(block))
  }

  #read(block: string): ServerSentEvent[] {
    let event = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) this.#id = line.slice(4)
      else if (line.startsWith('event: ')) event = line.slice(7)
      else if (line.startsWith('data: ')) data.push(line.slice(6))
    }
    if (data.length === 0) return []
    return [{ event, data: data.join('\n'), ...(this.#id !== undefined && { id: this.#id }) }]
  }
}

export const readEnvelope = ({ data }: ServerSentEvent): Envelope => JSON.parse(data) as Envelope
