import type { StreamId } from './ids.ts'
import type { LiveEvent } from './live-event.ts'
import type { RunEvent } from './run-event.ts'
import type { SessionEvent } from './session-event.ts'
import type { TurnEvent } from './turn-event.ts'

/** The version this program writes. A higher one in a journal was written by a newer program. */
export const ENVELOPE_VERSION = 1

export type DurableEvent = SessionEvent | RunEvent | TurnEvent

/** What every face, `stream-json` and the HTTP API carry. `seq` is null for live-only events. */
export interface Envelope<E = DurableEvent | LiveEvent> {
  v: number
  stream: StreamId
  seq: number | null
  at: string
  event: E
}

/** An envelope that is in the journal. */
export type StoredEnvelope<E = DurableEvent> = Envelope<E> & { seq: number }
