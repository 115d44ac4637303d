import { clip } from '../../core/turn/observe.ts'
import type { ModelMessage, ModelRequest } from '../../ports/model.ts'
import { type Json, asObject } from './read-json.ts'

export interface Known {
  session_id: string
  /** How many messages of the conversation the agent has been told. */
  seen: number
  /** It was told them by this process, so it knows what became of them. */
  live: boolean
  /** The instructions it was told last. */
  told?: string
  images: boolean
}

const LONGEST_MESSAGE = 4_000
const LONGEST_RECORD = 24_000

/**
 * What an agent is sent: the newest messages, as they are. What it has not seen of the rest goes ahead as a record, and
 * is called one: a prompt that an interrupted agent may have worked on already is never given as a prompt again.
 */
export function promptBlocks({ system, messages }: ModelRequest, known: Known): Json[] {
  const unseen = messages.slice(known.seen).filter((message) => !isOwn(message, known.session_id))
  const spoken = unseen.findLastIndex(({ role }) => role !== 'user') + 1
  const start = known.live ? spoken : Math.max(spoken, unseen.length - 1)
  const fresh = unseen.slice(start)
  return [
    ...(system === known.told || !system ? [] : [text(`<instructions>\n${system}\n</instructions>`)]),
    ...record(unseen.slice(0, start)),
    ...fresh.flatMap((message) => (message.role === 'user' ? speak(message, known.images) : [])),
    ...(fresh.length === 0 ? [text('Go on.')] : []),
  ]
}

/** The session an agent had when it last replied in this conversation, and how much it knew then. */
export function findSession(
  messages: readonly ModelMessage[],
  agent: string,
): { session_id: string; seen: number } | undefined {
  const last = messages.findLastIndex((message) => sessionOf(message)?.agent === agent)
  const found = messages[last] && sessionOf(messages[last])
  return found && { session_id: found.session_id, seen: last + 1 }
}

/** Kept with every reply, so that the session can be opened again by another process. */
export const sessionMetadata = (agent: string, session_id: string): unknown => ({
  acp: { agent, session_id },
})

function sessionOf(message: ModelMessage): { agent: string; session_id: string } | undefined {
  if (message.role !== 'assistant') return undefined
  const { agent, session_id } = asObject(asObject(message.metadata)['acp'])
  return typeof agent === 'string' && typeof session_id === 'string' ? { agent, session_id } : undefined
}

const isOwn = (message: ModelMessage, session: string): boolean => sessionOf(message)?.session_id === session

const text = (words: string): Json => ({ type: 'text', text: words })

function speak(
  { text: words, images = [] }: Extract<ModelMessage, { role: 'user' }>,
  shown: boolean,
): Json[] {
  const pictures = images.map(({ media_type, data }) =>
    shown ? { type: 'image', mimeType: media_type, data } : text('[an image, which you cannot be shown]'),
  )
  return [text(words), ...pictures]
}

/** The first message says what it is all about; after that the newest count. */
function record(messages: readonly ModelMessage[]): Json[] {
  if (messages.length === 0) return []
  const [first = '', ...rest] = messages.map(describe)
  const kept: string[] = []
  let room = LONGEST_RECORD - first.length
  for (const line of rest.toReversed()) {
    room -= line.length
    if (room < 0) break
    kept.unshift(line)
  }
  const left = rest.length - kept.length
  const lines = [first, ...(left > 0 ? [`[… ${left} messages left out …]`] : []), ...kept]
  return [
    text(
      'This is a record of what was said and done before. Parts of it may be done already: do nothing because of it alone.\n' +
        `<record>\n${lines.join('\n\n')}\n</record>`,
    ),
  ]
}

function describe(message: ModelMessage): string {
  switch (message.role) {
    case 'user':
      return `Person: ${clip(message.text, LONGEST_MESSAGE)}`
    case 'assistant': {
      const calls =
        message.calls.length > 0 ? ` [used ${message.calls.map(({ name }) => name).join(', ')}]` : ''
      return `Agent: ${clip(message.text, LONGEST_MESSAGE)}${calls}`
    }
    case 'tool':
      return `Result of ${message.name}: ${clip(message.output, 400)}`
  }
}
