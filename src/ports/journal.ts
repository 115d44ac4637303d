import type { DurableEvent, StoredEnvelope } from '../schema/envelope.ts'
import type { StreamId } from '../schema/ids.ts'

/**
 * The durable log. When `append` resolves the events are on disk; either all of them are, or none.
 * Methods throw `JournalError` and nothing else.
 */
export interface Journal {
  /** Every commit moves the `updated_at` of the stream's entry, if it has one. */
  append(commit: Commit): Promise<void>
  /** Events after `after` in order, at most `limit`; all of them without either. Damaged or unreadable records throw. */
  read(stream: StreamId, after?: number, limit?: number): Promise<StoredEnvelope[]>
  /** The sequence number of a stream's newest event; 0 when there is none. */
  last(stream: StreamId): Promise<number>
  /** The entries of a kind, latest updated first. The index is kept in the same transaction as the events. */
  list(kind: string): Promise<Entry[]>
  entry(stream: StreamId): Promise<Entry | undefined>
  /** Texts with all of the words, best match first; the last word may be unfinished. Words are never query syntax. */
  search(words: string, limit: number): Promise<Hit[]>
  /**
   * Removes a stream, its entry and texts, and every linked stream nothing else links to. `locked` when another living
   * process owns any of them.
   */
  remove(stream: StreamId): Promise<void>
  /**
   * Makes this journal the one that writes the stream, or tells who is. A process that died loses what it owned. Appending
   * to a stream one does not own is refused (`not_owner`); starting a new stream acquires it.
   */
  acquire(stream: StreamId): Promise<{ acquired: true } | { acquired: false; owner: string }>
  release(stream: StreamId): Promise<void>
  /** Releases everything. */
  close(): Promise<void>
}

/** One decision: stored in one transaction. */
export interface Commit {
  stream: StreamId
  /** The sequence number the writer saw last; another number in the journal means somebody else wrote. 0 for a new stream. */
  after: number
  /** ISO time of the decision. */
  at: string
  events: DurableEvent[]
  /** What the decision changes in the index. */
  index?: IndexChange
}

export interface IndexChange {
  /** Merged into the stream's entry. */
  entry?: { kind: string; title?: string; folder?: string; status?: string }
  /** Text a person may search for. */
  texts?: string[]
  /** Streams that live and die with this one. */
  links?: StreamId[]
}

export interface Entry {
  stream: StreamId
  kind: string
  title: string
  folder: string
  status: string
  created_at: string
  updated_at: string
}

export interface Hit {
  stream: StreamId
  title: string
  /** The matching text, shortened around the match. */
  excerpt: string
  at: string
}

export type JournalProblem =
  | 'conflict' // somebody else wrote to this stream
  | 'not_owner' // another process owns this stream now
  | 'newer' // written by a newer version of the program
  | 'full' // no space left
  | 'read_only'
  | 'locked'
  | 'damaged'
  | 'unavailable' // cannot be opened or created

export class JournalError extends Error {
  readonly problem: JournalProblem
  readonly hint: string

  constructor(problem: JournalProblem, message: string, hint: string) {
    super(message)
    this.name = 'JournalError'
    this.problem = problem
    this.hint = hint
  }
}
