import { type Rejected, reject } from '../aggregate.ts'
import { clip } from '../turn/observe.ts'
import { refuseApply } from './final.ts'
import type { RunInput } from './input.ts'
import { agentOf, candidates, latestAnswer } from './state.ts'
import { type RunDraft, nextPendingId } from './steps.ts'
import { tally } from './tally.ts'

const PREVIEW = 400

/** After a vote with a choice the person has the last word; true while they are asked. */
export function offerOverride(draft: RunDraft): boolean {
  const { state } = draft
  const { override } = state.settings
  const { decision } = state
  if (!decision || state.overridden || state.settled || candidates(state).length < 2) return false
  if (typeof override === 'object') {
    present(draft, override.agent, 'policy')
    return false
  }
  if (override === 'continue' || decision.reason === 'skipped') return false
  const votes = new Map(tally(state).map(({ agent, votes }) => [agent, votes]))
  draft.emit({
    type: 'pending.opened',
    pending: {
      id: nextPendingId(state),
      kind: 'override',
      winner: decision.winner,
      tie: decision.tie,
      margin: decision.margin,
      candidates: candidates(state).map(({ agent, answer: { label, text, snapshot, evidence } }) => ({
        agent: agent.id,
        label,
        votes: votes.get(agent.id) ?? 0,
        preview: clip(text, PREVIEW),
        evidence: (evidence ?? []).map(({ name, status }) => ({ name, status })),
        files: snapshot.files,
        added: snapshot.added,
        removed: snapshot.removed,
      })),
    },
  })
  return true
}

/** The winner stays unless the chosen one is another that can present. */
function present(draft: RunDraft, id: string, by: string): Rejected | undefined {
  const chosen = agentOf(draft.state, id)
  const answer = chosen && latestAnswer(chosen)
  if (!chosen || !answer) return reject(`${id} has no answer to present`)
  if (chosen.id === draft.state.presenter?.agent) return undefined
  draft.emit({ type: 'winner.overridden', agent_id: chosen.id, label: answer.label, by })
  return undefined
}

export function answerPending(
  draft: RunDraft,
  { pending_id, answer, by }: Extract<RunInput, { type: 'answer_pending' }>,
): Rejected | undefined {
  const pending = draft.state.pendings.find(({ id }) => id === pending_id)
  if (!pending) return reject(`nothing waits under ${pending_id}: it was answered already, or never asked`)
  if (pending.kind !== answer.kind) return reject(`${pending.id} is a ${pending.kind}, not a ${answer.kind}`)
  if (pending.kind === 'override' && answer.kind === 'override') {
    const chosen = answer.decision === 'present' ? agentOf(draft.state, answer.agent) : undefined
    if (answer.decision === 'present' && !(chosen && latestAnswer(chosen)))
      return reject(`${answer.agent} has no answer to present`)
    draft.emit({ type: 'pending.answered', pending_id, answer, by })
    if (chosen) present(draft, chosen.id, by)
    return undefined
  }
  if (pending.kind === 'tool_approval' && answer.kind === 'tool_approval') {
    if (answer.hash !== undefined && answer.hash !== pending.hash)
      return reject('what was approved is not what waits here; look at it again')
    draft.emit({ type: 'pending.answered', pending_id, answer, by })
    if (answer.decision === 'deny') refuseApply(draft, answer.reason ?? 'the person refused it', 'person')
    return undefined
  }
  return reject(`${pending.id} cannot be answered that way`)
}
