import { itemsFrom, lengthOf, toArray } from '../core/list.ts'
import type { SessionState } from '../core/session/state.ts'
import type { TurnState } from '../core/turn/state.ts'
import { turn } from '../core/turn/turn.ts'
import type { Journal } from '../ports/journal.ts'
import type { ModelMessage } from '../ports/model.ts'
import { renderEntries } from '../prompts/render-entries.ts'
import type { TurnId } from '../schema/ids.ts'
import type { TurnEvent } from '../schema/turn-event.ts'

/**
 * What models were told so far. Each request extends the one before it, also from turn to turn, so that providers can
 * use their caches; nothing is rendered twice.
 */
export class Conversations {
  readonly #journal: Journal
  readonly #rendered = new Map<TurnId, { entries: number; messages: ModelMessage[] }>()
  /** Turns rendered to their end. The last request of a turn was made before its last reply. */
  readonly #whole = new Set<TurnId>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** The chat's earlier turns, then this one so far. */
  async messages(chat: SessionState | undefined, state: TurnState): Promise<ModelMessage[]> {
    const all: ModelMessage[] = []
    for (const earlier of chat ? toArray(chat.turns) : []) all.push(...(await this.#finished(earlier)))
    all.push(...this.#extend(state))
    return all
  }

  #extend(state: TurnState): ModelMessage[] {
    const known = this.#rendered.get(state.turn_id) ?? { entries: 0, messages: [] }
    known.messages.push(...renderEntries(itemsFrom(state.entries, known.entries)))
    known.entries = lengthOf(state.entries)
    this.#rendered.set(state.turn_id, known)
    return known.messages
  }

  async #finished(id: TurnId): Promise<ModelMessage[]> {
    const known = this.#rendered.get(id)
    if (known && this.#whole.has(id)) return known.messages
    const events = await this.#journal.read(id)
    this.#whole.add(id)
    return this.#extend(
      events.reduce((state, { event }) => turn.evolve(state, event as TurnEvent), turn.initial),
    )
  }
}
