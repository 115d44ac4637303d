import { itemsFrom, lengthOf, toArray } from '../core/list.ts'
import type { SessionState } from '../core/session/state.ts'
import type { TurnState } from '../core/turn/state.ts'
import { turn } from '../core/turn/turn.ts'
import type { Journal } from '../ports/journal.ts'
import type { ModelMessage } from '../ports/model.ts'
import { renderEntries, renderSummary } from '../prompts/render-entries.ts'
import type { TurnId } from '../schema/ids.ts'
import type { TurnEvent } from '../schema/turn-event.ts'

export interface Conversation {
  messages: ModelMessage[]
  /** Characters in all of them: what the estimate of tokens rests on. */
  characters: number
}

interface Rendered extends Conversation {
  /** How the entries are shown; when this changes they are rendered anew. */
  shape: string
  entries: number
  /** It begins with a summary of everything before it. */
  replaces: boolean
}

/**
 * What models were told so far. Each request extends the one before it, also from turn to turn, so that providers can
 * use their caches; nothing is rendered twice unless the conversation had to be made to fit.
 */
export class Conversations {
  readonly #journal: Journal
  readonly #rendered = new Map<TurnId, Rendered>()
  /** Turns rendered to their end. The last request of a turn was made before its last reply. */
  readonly #whole = new Set<TurnId>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** The chat's earlier turns, then this one so far. A sub-agent has no earlier turns. */
  async read(chat: SessionState | undefined, state: TurnState): Promise<Conversation> {
    const parts: Rendered[] = []
    const add = (part: Rendered) => {
      if (part.replaces) parts.length = 0
      parts.push(part)
    }
    for (const earlier of chat ? toArray(chat.turns) : []) add(await this.#finished(earlier))
    add(this.#extend(state))
    return {
      messages: parts.flatMap(({ messages }) => messages),
      characters: parts.reduce((sum, { characters }) => sum + characters, 0),
    }
  }

  #extend(state: TurnState): Rendered {
    const { turn_id, entries, trimmed_before, compacted } = state
    const shape = `${trimmed_before}/${compacted?.before ?? ''}`
    let known = this.#rendered.get(turn_id)
    if (known?.shape !== shape) {
      const begins = compacted ? [renderSummary(compacted.summary)] : []
      known = {
        shape,
        entries: compacted?.before ?? 0,
        messages: begins,
        characters: count(begins),
        replaces: compacted !== null,
      }
      this.#rendered.set(turn_id, known)
    }
    const added = renderEntries(itemsFrom(entries, known.entries), trimmed_before - known.entries)
    known.messages.push(...added)
    known.characters += count(added)
    known.entries = lengthOf(entries)
    return known
  }

  async #finished(id: TurnId): Promise<Rendered> {
    const known = this.#rendered.get(id)
    if (known && this.#whole.has(id)) return known
    const events = await this.#journal.read(id)
    this.#whole.add(id)
    return this.#extend(
      events.reduce((state, { event }) => turn.evolve(state, event as TurnEvent), turn.initial),
    )
  }
}

const count = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
