import type { ChatFeed } from '../../client/client.ts'
import type { Envelope } from '../../schema/envelope.ts'
import type { ChatId } from '../../schema/ids.ts'
import { beginChat, emptyPart, foldEarlier, foldPart, joinEarlier } from '../../view/chat-history.ts'
import { type ChatView, emptyChatView, foldChat } from '../../view/chat-view.ts'
import { noLive } from '../../view/live.ts'

/** Longer than this at a time nothing is folded, so that the page stays responsive while a long chat arrives. */
const slice = 24

/** One chat as the page knows it. Envelopes are folded in batches, once per frame. */
export class ChatStore {
  #view: ChatView = emptyChatView
  #queue: Envelope[] = []
  #at = 0
  #scheduled = false
  readonly #listeners = new Set<() => void>()

  readonly get = (): ChatView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The end of what was said, while the server still opens the chat. */
  glance(log: readonly Envelope[]): void {
    this.#view = foldEarlier(emptyChatView, log)
    this.#tell()
  }

  /** What the chat has come to, and the end of what was said. */
  begin(chat: ChatId, head: NonNullable<ChatFeed['head']>): void {
    this.#view = foldEarlier(beginChat(chat, head), head.log)
    this.#tell()
  }

  take(envelopes: readonly Envelope[]): void {
    for (const envelope of envelopes) this.#queue.push(envelope)
    if (this.#scheduled || this.#queue.length === 0) return
    this.#scheduled = true
    // A page in the background gets no frames, and must keep up all the same.
    if (document.hidden) setTimeout(this.#fold, 50)
    else requestAnimationFrame(this.#fold)
  }

  /** What was being written when the connection was lost goes on elsewhere, or begins anew: it is not added to. */
  forgetLive(): void {
    this.#view = { ...this.#view, live: noLive }
    this.#tell()
  }

  /** Puts an earlier part of the chat's own log before what is there. */
  async takeEarlier(log: readonly Envelope[]): Promise<void> {
    let part = emptyPart
    let end = performance.now() + slice
    for (const envelope of log) {
      part = foldPart(part, envelope)
      if (performance.now() < end) continue
      await new Promise((resolve) => setTimeout(resolve))
      end = performance.now() + slice
    }
    this.#view = joinEarlier(this.#view, part)
    this.#tell()
  }

  readonly #fold = (): void => {
    const end = performance.now() + slice
    while (this.#at < this.#queue.length && performance.now() < end) {
      for (let count = 0; count < 64 && this.#at < this.#queue.length; count++) {
        const envelope = this.#queue[this.#at++]
        if (envelope) this.#view = foldChat(this.#view, envelope)
      }
    }
    this.#scheduled = this.#at < this.#queue.length
    if (this.#scheduled) {
      // Half a chat would only jump about.
      setTimeout(this.#fold)
      return
    }
    this.#queue = []
    this.#at = 0
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
