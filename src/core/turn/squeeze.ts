import type { Rejected } from '../aggregate.ts'
import { itemsFrom, lengthOf } from '../list.ts'
import { awaitedReply } from './effects.ts'
import type { TurnState } from './state.ts'
import { type TurnDraft, finish } from './steps.ts'
import { reportProgress } from './summary.ts'

/** How many of the newest entries stay as they are: fewer when that was not enough. */
const KEEP = [6, 2] as const
const MOST_COMPACTIONS = 2

/**
 * Makes the conversation fit: first long old results are shortened, then what is old is summarised. When that has not
 * helped twice, it never will, and the turn ends with a clear word instead of spending more.
 */
export function squeeze(draft: TurnDraft, problem: string): Rejected | undefined {
  const { state } = draft
  if (!awaitedReply(state)) return { rejected: 'no reply of the model is awaited' }
  const before = boundary(state)
  if (before > state.trimmed_before && hasResults(state, before)) {
    draft.emit({ type: 'context.trimmed', before })
    return undefined
  }
  if (state.squeezes < MOST_COMPACTIONS) {
    draft.emit({ type: 'compaction.requested', before })
    return undefined
  }
  const message = `The conversation does not fit, although it was summarised ${MOST_COMPACTIONS} times: ${problem}.`
  const hint = 'start a new chat, or choose a model with a larger context'
  finish(draft, 'failed', reportProgress(state, message), { kind: 'context', message, hint })
  return undefined
}

/** Where what is old ends: before a reply, so that calls and their results stay together. */
function boundary({ entries, compacted, squeezes }: TurnState): number {
  const keep = KEEP[squeezes] ?? 2
  const from = compacted?.before ?? 0
  const candidates = itemsFrom(entries, from)
  for (let index = candidates.length - keep; index > 0; index--) {
    if (candidates[index]?.kind === 'reply') return from + index
  }
  return Math.max(from, Math.min(1, lengthOf(entries)))
}

function hasResults({ entries, trimmed_before }: TurnState, before: number): boolean {
  return itemsFrom(entries, trimmed_before)
    .slice(0, before - trimmed_before)
    .some((entry) => entry.kind === 'result')
}
