import { jsonObjectsIn } from '../json-in-text.ts'
import type { AgentTurn } from './state.ts'

/** What the last words of an agent without our tools come to: a vote if they end with one, an answer otherwise. */
export function readTextAct(
  text: string,
  { may_vote }: Pick<AgentTurn, 'may_vote'>,
  turn_id: string,
):
  | { kind: 'answer'; call_id: string; text: string }
  | { kind: 'vote'; call_id: string; choice: string; reason: string } {
  const call_id = `${turn_id}:words`
  const last = may_vote
    ? [...jsonObjectsIn(text)].findLast(({ vote }) => typeof vote === 'string')
    : undefined
  if (!last) return { kind: 'answer', call_id, text }
  return { kind: 'vote', call_id, choice: String(last['vote']), reason: String(last['reason'] ?? '') }
}
