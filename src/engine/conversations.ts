import type { Measured } from '../core/session/compaction.ts'
import { type List, itemsFrom, lengthOf, toArray } from '../core/list.ts'
import type { SessionState } from '../core/session/state.ts'
import { isOver } from '../core/turn/phases.ts'
import type { TurnState } from '../core/turn/state.ts'
import { turn } from '../core/turn/turn.ts'
import type { Journal } from '../ports/journal.ts'
import { renderChatSummary, renderKept } from '../prompts/render-compaction.ts'
import { renderEntries, renderSummary } from '../prompts/render-entries.ts'
import { renderRun } from '../prompts/render-run.ts'
import type { ToldMessage } from '../prompts/told-message.ts'
import { type RunId, type TurnId, isRunId } from '../schema/ids.ts'
import type { Message } from '../schema/message.ts'
import type { TurnEvent } from '../schema/turn-event.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** A picture is counted as a long text; providers take 1,000 to 1,600 tokens for a large one. */
const PICTURE_CHARACTERS = 6_000

export interface Conversation {
  messages: ToldMessage[]
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
  readonly #rendered = new Map<TurnId | RunId, Rendered>()
  /** Turns rendered to their end. The last request of a turn was made before its last reply. */
  readonly #whole = new Set<TurnId | RunId>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /**
   * The chat's earlier turns, those of the same agent in the same run, then this one so far. A sub-agent has no earlier
   * turns.
   */
  async read(
    chat: SessionState | undefined,
    state: TurnState,
    history: readonly TurnId[] = [],
  ): Promise<Conversation> {
    const parts = chat && !state.compacted ? await this.#earlier(chat, 'shown') : []
    for (const id of history) parts.push(await this.#finished(id))
    parts.push(this.#extend(state))
    const shown = withoutReplaced(parts)
    if (chat?.compaction) shown.unshift(begin([renderKept(chat.compaction)]))
    return {
      messages: shown.flatMap(({ messages }) => messages),
      characters: sizeOf(shown),
    }
  }

  /**
   * For a turn that an agent takes beside its others: what it was told in those, as far as all calls have their
   * results, then this one so far.
   */
  async beside(state: TurnState, history: readonly TurnId[]): Promise<Conversation> {
    const parts: Rendered[] = []
    for (const id of history) parts.push(await this.#settled(id))
    parts.push(this.#extend(state))
    const shown = withoutReplaced(parts)
    return { messages: shown.flatMap(({ messages }) => messages), characters: sizeOf(shown) }
  }

  /** Lets go of what nobody goes on from: the turn of a sub-agent, or the turns of a run, that is over. */
  forget(id: TurnId | RunId): void {
    const ids = isRunId(id) ? [...this.#rendered.keys()].filter((each) => isTurnOf(id, each)) : [id]
    for (const each of ids) this.#drop(each)
  }

  /** How long the chat's conversation is, and what of it came before its last exchanges. */
  async measure(chat: SessionState, preserve_recent: number): Promise<Measured> {
    const shown = await this.#earlier(chat, 'shown')
    const recent = Math.min(preserve_recent, lengthOf(chat.turns) - (chat.compaction?.exchanges ?? 0))
    const old = shown.slice(0, Math.max(0, shown.length - recent))
    return { tokens: estimateTokens(sizeOf(shown)), old_tokens: estimateTokens(sizeOf(old)) }
  }

  /** What models see of the chat's first exchanges, and how many characters they see after those. */
  async before(chat: SessionState, exchanges: number): Promise<{ messages: ToldMessage[]; rest: number }> {
    const parts = await this.#earlier(chat, 'all')
    const after = lengthOf(chat.turns) - exchanges
    return {
      messages: withoutReplaced(parts.slice(0, parts.length - after)).flatMap(({ messages }) => messages),
      rest: sizeOf(parts.slice(parts.length - after)),
    }
  }

  /**
   * The summary of the chat's first exchanges, if there is one, then the exchanges after it. What is no longer shown,
   * because a later part begins with a summary of everything, is not even read unless `all` is asked for.
   */
  async #earlier(chat: SessionState, which: 'all' | 'shown'): Promise<Rendered[]> {
    const { turns, compaction } = chat
    const parts: Rendered[] = []
    const ids = itemsFrom(turns, compaction?.exchanges ?? 0)
    const unread = ids.some((id) => isRunId(id) && !this.#rendered.has(id))
    const said = unread ? Map.groupBy(toArray(chat.messages), ({ run_id }) => run_id) : undefined
    for (const id of ids.toReversed()) {
      const part = isRunId(id) ? this.#run(id, said?.get(id) ?? []) : await this.#finished(id)
      parts.push(part)
      if (part.replaces && which === 'shown') {
        this.#dropBefore(turns, parts.length)
        return parts.toReversed()
      }
    }
    this.#dropBefore(turns, parts.length)
    if (compaction) parts.push(begin([renderChatSummary(compaction)]))
    return parts.toReversed()
  }

  /** What comes before the last exchanges is no longer shown. What is kept of a chat are its last ones without a gap. */
  #dropBefore(turns: List<TurnId | RunId>, last: number): void {
    let node = turns
    for (let index = 0; index < last; index++) node = node?.before ?? null
    for (; node && this.#drop(node.last); node = node.before);
  }

  #drop(id: TurnId | RunId): boolean {
    this.#whole.delete(id)
    return this.#rendered.delete(id)
  }

  /** Of a team's work the conversation holds what was asked and what came of it. */
  #run(id: RunId, said: readonly Message[]): Rendered {
    const known = this.#rendered.get(id)
    if (known) return known
    const rendered = begin(renderRun(id, said))
    this.#rendered.set(id, rendered)
    return rendered
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
    const state = await this.#fold(id)
    this.#whole.add(id)
    return this.#extend(state)
  }

  /** A turn under way is rendered apart: its own requests go on from where they were. */
  async #settled(id: TurnId): Promise<Rendered> {
    const known = this.#rendered.get(id)
    if (known && this.#whole.has(id)) return known
    const state = await this.#fold(id)
    if (isOver(state.phase)) return this.#finished(id)
    const { entries, queue, open, compacted, trimmed_before } = state
    const all = toArray(entries)
    const from = compacted?.before ?? 0
    const waits = queue.length > 0 || open.length > 0
    const told = all.slice(from, waits ? all.findLastIndex(({ kind }) => kind === 'reply') : all.length)
    const begins = compacted ? [renderSummary(compacted.summary)] : []
    return {
      ...begin([...begins, ...renderEntries(told, trimmed_before - from)]),
      replaces: compacted !== null,
    }
  }

  async #fold(id: TurnId): Promise<TurnState> {
    const events = await this.#journal.read(id)
    return events.reduce((state, { event }) => turn.evolve(state, event as TurnEvent), turn.initial)
  }
}

const isTurnOf = (run: RunId, id: string): boolean => id.startsWith(`turn_${run.slice('run_'.length)}-`)

const begin = (messages: ToldMessage[]): Rendered => ({
  shape: '',
  entries: 0,
  messages,
  characters: count(messages),
  replaces: false,
})

/** What came before a part that begins with a summary of everything is no longer shown. */
const withoutReplaced = (parts: readonly Rendered[]): Rendered[] =>
  parts.slice(
    Math.max(
      0,
      parts.findLastIndex(({ replaces }) => replaces),
    ),
  )

const sizeOf = (parts: readonly Rendered[]): number =>
  parts.reduce((sum, { characters }) => sum + characters, 0)

const count = (messages: readonly ToldMessage[]): number =>
  messages.reduce((sum, message) => {
    const pictures = message.role === 'user' ? (message.pictures?.length ?? 0) : 0
    return sum + JSON.stringify(message).length + pictures * PICTURE_CHARACTERS
  }, 0)
