import type { Envelope } from '../schema/envelope.ts'
import type { StreamId } from '../schema/ids.ts'
import type { LiveEvent } from '../schema/live-event.ts'
import { spokenSoFar } from './spoken-text.ts'
import type { TranscriptItem } from './transcript-item.ts'

/** What is being written right now, by stream. Nothing of it is stored. */
export type Live = ReadonlyMap<StreamId, LiveStream>

export interface LiveStream {
  agent_id: string
  /** When the first piece came. */
  at: string
  /** Grows with every piece. */
  revision: number
  text: string
  reasoning: string
  retry: Omit<Extract<LiveEvent, { type: 'model.retrying' }>, 'type' | 'agent_id'> | null
  /** What running tools print, by call. */
  output: ReadonlyMap<string, string>
}

/** What a tool prints is kept to its end. */
const LONGEST_OUTPUT = 20_000

export const noLive: Live = new Map()

export function foldLive(live: Live, { stream, at, event }: Envelope<LiveEvent>): Live {
  const before = live.get(stream) ?? { ...blank, agent_id: 'agent_id' in event ? event.agent_id : '', at }
  return new Map(live).set(stream, { ...take(before, event), revision: before.revision + 1 })
}

/** The finished reply replaces what was seen of it; the results of calls replace their output. */
export function dropLive(live: Live, stream: StreamId, what: 'reply' | 'all' | { call_id: string }): Live {
  const before = live.get(stream)
  if (!before) return live
  const next = new Map(live)
  if (what === 'all') next.delete(stream)
  else if (what === 'reply') next.set(stream, { ...before, text: '', reasoning: '', retry: null })
  else next.set(stream, { ...before, output: without(before.output, what.call_id) })
  const left = next.get(stream)
  if (left && !left.text && !left.reasoning && !left.retry && left.output.size === 0) next.delete(stream)
  return next
}

/** What to draw below a stream's finished items while its agent writes. */
export function liveItems(live: Live, stream: StreamId): TranscriptItem[] {
  const now = live.get(stream)
  if (!now) return []
  const { agent_id, at, revision, text, reasoning, retry } = now
  const base = { revision, at, stream, agent_id }
  const items: TranscriptItem[] = []
  if (text || reasoning) {
    items.push({
      ...{
        ...base,
        // Another one begins with the same revision, and is not to be taken for this one.
        id: `${stream}:live:${at}`,
        kind: 'agent_message',
        message_type: 'Text',
        text: spokenSoFar(text),
      },
      ...(reasoning && { reasoning }),
      streaming: true,
    })
  }
  if (retry) items.push({ ...base, id: `${stream}:retry:${at}`, kind: 'retry', ...retry })
  return items
}

const blank: LiveStream = {
  agent_id: '',
  at: '',
  revision: 0,
  text: '',
  reasoning: '',
  retry: null,
  output: new Map(),
}

function take(live: LiveStream, event: LiveEvent): LiveStream {
  switch (event.type) {
    case 'text.delta':
      return { ...live, text: live.text + event.text, retry: null }
    case 'reasoning.delta':
      return { ...live, reasoning: live.reasoning + event.text, retry: null }
    case 'tool.output': {
      const all = (live.output.get(event.call_id) ?? '') + event.text
      const kept = all.length > 2 * LONGEST_OUTPUT ? all.slice(-LONGEST_OUTPUT) : all
      return { ...live, output: new Map(live.output).set(event.call_id, kept) }
    }
    case 'model.retrying': {
      // What came of the failed attempt comes again.
      const { attempt, delay_ms, reason } = event
      return { ...live, text: '', reasoning: '', retry: { attempt, delay_ms, reason } }
    }
  }
}

function without(output: ReadonlyMap<string, string>, call_id: string): ReadonlyMap<string, string> {
  const left = new Map(output)
  left.delete(call_id)
  return left
}
