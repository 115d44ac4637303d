import type { ServerResponse } from 'node:http'
import type { ChatFollower } from '../client/follow-chat.ts'
import { writeCursor } from '../client/wire.ts'
import type { Envelope } from '../schema/envelope.ts'

/** What is written to one client, piece by piece, as messages. Nothing is taken from it while the client has enough to read. */
interface Feed {
  messages: AsyncIterable<string>
  close(): void
}

export interface StreamLimits {
  /** Connections at once. */
  most: number
  /** Envelopes that wait for a client that reads slowly; what is beyond is read from the journal when it catches up. */
  backlog: number
  /** Bytes that are put together before they are written. */
  chunk: number
  /** A client that takes nothing for longer is cut off; it can come back and go on. */
  stall_ms: number
  heartbeat_ms: number
}

export const streamLimits: StreamLimits = {
  most: 500,
  backlog: 256,
  chunk: 64 * 1024,
  stall_ms: 30_000,
  heartbeat_ms: 15_000,
}

/** The connections that follow something. An envelope is made into text once, however many they are. */
export class EventStreams {
  readonly #limits: StreamLimits
  readonly #open = new Set<EventStream>()
  readonly #texts = new WeakMap<Envelope, string>()
  #timer: NodeJS.Timeout | undefined

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  get isFull(): boolean {
    return this.#open.size >= this.#limits.most
  }

  get size(): number {
    return this.#open.size
  }

  /** Connections that have more to read than they take. */
  get blocked(): number {
    return [...this.#open].filter((stream) => stream.isBlocked).length
  }

  /** Writes the envelopes of a follower to the response until it is closed. `first` is what the client missed. */
  serve(response: ServerResponse, follower: ChatFollower, first: Iterable<Envelope>): Promise<void> {
    return this.send(response, { messages: this.#messages(follower, first), close: () => follower.close() })
  }

  async send(response: ServerResponse, feed: Feed): Promise<void> {
    const stream = new EventStream(response, feed, this.#limits)
    this.#open.add(stream)
    this.#timer ??= setInterval(
      () => this.#look(),
      Math.min(this.#limits.heartbeat_ms, this.#limits.stall_ms),
    ).unref()
    try {
      await stream.run()
    } finally {
      this.#open.delete(stream)
      if (this.#open.size === 0) this.#stopLooking()
    }
  }

  closeAll(): void {
    this.#stopLooking()
    for (const stream of this.#open) stream.close()
  }

  #stopLooking(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const now = performance.now()
    for (const stream of this.#open) stream.look(now)
  }

  async *#messages(follower: ChatFollower, first: Iterable<Envelope>): AsyncGenerator<string> {
    for (const envelope of first) yield this.#textOf(envelope)
    // A browser that connects anew names the last id it saw, so there must be one.
    yield `id: ${writeCursor(follower.cursor)}\nevent: ready\ndata: {}\n\n`
    for await (const envelope of follower) {
      // Apart from the text, which all clients share.
      if (envelope.seq !== null) yield `id: ${writeCursor(follower.cursor)}\n`
      yield this.#textOf(envelope)
    }
  }

  #textOf(envelope: Envelope): string {
    let text = this.#texts.get(envelope)
    if (text === undefined) {
      text = `data: ${JSON.stringify(envelope)}\n\n`
      this.#texts.set(envelope, text)
    }
    return text
  }
}

class EventStream {
  readonly #response: ServerResponse
  readonly #feed: Feed
  readonly #limits: StreamLimits
  /** What is to be written: short messages put together, long ones as they are, so that all clients share one text. */
  #waiting: string[] = []
  /** How much of the first was written. */
  #written = 0
  #length = 0
  #scheduled = false
  /** Since when the client takes nothing. */
  #blockedAt: number | undefined
  #unblock: (() => void) | undefined
  #wroteAt = performance.now()
  #closed = false

  constructor(response: ServerResponse, feed: Feed, limits: StreamLimits) {
    this.#response = response
    this.#feed = feed
    this.#limits = limits
  }

  get isBlocked(): boolean {
    return this.#blockedAt !== undefined
  }

  async run(): Promise<void> {
    const response = this.#response
    response.on('drain', () => this.#drained())
    response.on('close', () => this.close())
    response.on('error', () => this.close())
    this.#add('retry: 1000\n\n')
    this.#schedule()
    try {
      for await (const text of this.#feed.messages) {
        if (this.#closed) break
        await this.#send(text)
      }
    } finally {
      this.close()
    }
  }

  /** Says that we are here; cuts off whoever takes nothing. */
  look(now: number): void {
    if (this.#blockedAt !== undefined) {
      if (now - this.#blockedAt >= this.#limits.stall_ms) this.#response.destroy()
    } else if (now - this.#wroteAt >= this.#limits.heartbeat_ms - 100) this.#write(':\n\n')
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#feed.close()
    this.#unblock?.()
    if (!this.#response.destroyed) this.#response.end()
  }

  /** Returns at once unless the client has enough to read. */
  async #send(text: string): Promise<void> {
    this.#add(text)
    if (this.#length >= this.#limits.chunk) this.#flush()
    else this.#schedule()
    if (this.#blockedAt !== undefined && !this.#closed)
      await new Promise<void>((resolve) => (this.#unblock = resolve))
  }

  #add(text: string): void {
    this.#length += text.length
    const last = this.#waiting.at(-1)
    if (last === undefined || last.length + text.length > this.#limits.chunk) this.#waiting.push(text)
    else this.#waiting[this.#waiting.length - 1] = last + text
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  /** In pieces, so that a client that reads slowly is seen to read. */
  #flush(): void {
    while (this.#length > 0 && this.#blockedAt === undefined && !this.#closed) {
      const first = this.#waiting[0] ?? ''
      const piece = pieceOf(first, this.#written, this.#limits.chunk)
      this.#length -= piece.length
      this.#written += piece.length
      if (this.#written === first.length) {
        this.#waiting.shift()
        this.#written = 0
      }
      this.#write(piece)
    }
  }

  #write(text: string): void {
    if (this.#closed || this.#response.destroyed) return
    this.#wroteAt = performance.now()
    if (!this.#response.write(text)) this.#blockedAt ??= this.#wroteAt
  }

  #drained(): void {
    this.#blockedAt = undefined
    this.#flush()
    if (this.#blockedAt !== undefined) return
    this.#unblock?.()
    this.#unblock = undefined
  }
}

/** A part of a text that cuts no character in two. */
function pieceOf(text: string, from: number, most: number): string {
  const end = Math.min(from + most, text.length)
  const last = text.charCodeAt(end - 1)
  const cuts = end < text.length && last >= 0xd800 && last <= 0xdbff
  return text.slice(from, cuts ? end + 1 : end)
}
