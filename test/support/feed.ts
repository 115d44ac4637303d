import type { Client } from '../../src/client/client.ts'
import type { Envelope } from '../../src/schema/envelope.ts'
import type { ChatId, StreamId, TurnId } from '../../src/schema/ids.ts'

/** A chat whose envelopes come by a call. What is given has been taken in when the call returns. */
export class Feed {
  readonly chat: ChatId = 'chat_1'
  /** When what comes next happened. */
  at = new Date().toISOString()
  readonly #seqs = new Map<StreamId, number>()
  #next = Promise.withResolvers<Envelope>()
  #taken = Promise.withResolvers<void>()

  get client(): Client {
    const config = { agent_mode: 'Act' }
    const created = { type: 'chat.created', chat_id: this.chat, folder: '/', title: 'a chat', config }
    const first = [this.#numbered(this.chat, created)]
    return {
      open: async () => ({
        first,
        unread: [],
        unread_log: 0,
        older: async () => [],
        close: () => undefined,
        [Symbol.asyncIterator]: () => this.#follow(),
      }),
    } as unknown as Client
  }

  /** An event is given by the part of it that a face looks at. */
  store(stream: StreamId, event: { type: string } & Record<string, unknown>): Promise<void> {
    return this.#push(this.#numbered(stream, event))
  }

  live(stream: StreamId, event: { type: string } & Record<string, unknown>): Promise<void> {
    return this.#push({ v: 1, stream, seq: null, at: this.at, event } as unknown as Envelope)
  }

  /** A message of an agent. */
  say(turn_id: TurnId, text: string, agent_id = 'a'): Promise<void> {
    const message = { id: turn_id, role: 'agent', text, turn_id, agent_id, message_type: 'Text' }
    return this.store(this.chat, { type: 'message.added', message })
  }

  #numbered(stream: StreamId, event: object): Envelope {
    const seq = (this.#seqs.get(stream) ?? 0) + 1
    this.#seqs.set(stream, seq)
    return { v: 1, stream, seq, at: this.at, event } as unknown as Envelope
  }

  async #push(envelope: Envelope): Promise<void> {
    const taken = (this.#taken = Promise.withResolvers<void>()).promise
    this.#next.resolve(envelope)
    await taken
  }

  async *#follow(): AsyncGenerator<Envelope> {
    for (;;) {
      const envelope = await this.#next.promise
      this.#next = Promise.withResolvers()
      yield envelope
      this.#taken.resolve()
    }
  }
}
