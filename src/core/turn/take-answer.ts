import type { Pending } from '../../schema/pending.ts'
import type { TurnEvent } from '../../schema/turn-event.ts'
import { type Rejected, reject } from '../aggregate.ts'
import { readLaunch } from '../launch/read-launch.ts'
import { answerText } from './ask-others.ts'
import { dispatchApproved } from './dispatch.ts'
import type { TurnInput } from './input.ts'
import { type TurnDraft, endByLimit, enterNextPlanning, finish, finishCall } from './steps.ts'
import { reportProgress } from './summary.ts'

/** A person's answer to something that waits, and what follows from it. */
export function takeAnswer(
  draft: TurnDraft,
  input: Extract<TurnInput, { type: 'answer_pending' }>,
): Rejected | undefined {
  const pending = draft.state.pendings.find(({ id }) => id === input.pending_id)
  if (!pending)
    return reject(`nothing waits under ${input.pending_id}: it was answered already, or never asked`)
  const { answer } = input
  if (pending.kind !== answer.kind) return reject(`${pending.id} is a ${pending.kind}, not a ${answer.kind}`)
  const answered: TurnEvent = { type: 'pending.answered', pending_id: pending.id, answer, by: input.by }
  if (pending.kind === 'tool_approval' && answer.kind === 'tool_approval') {
    if (answer.hash !== undefined && answer.hash !== pending.hash) {
      return reject('what was approved is not what waits here; look at it again')
    }
    draft.emit(answered)
    if (answer.decision === 'always' && pending.always.length > 0) {
      draft.emit({ type: 'permission.granted', grants: pending.always })
    }
    if (pending.external) {
      const allowed = answer.decision !== 'deny'
      draft.emit({
        type: 'external.authorized',
        call: pending.call,
        allowed,
        reason: answer.reason ?? 'the person decided',
      })
    } else if (answer.decision !== 'deny') dispatchApproved(draft, pending.call)
    else {
      const why = answer.reason ? `: ${answer.reason}` : ''
      finishCall(
        draft,
        pending.call,
        `Not run: the person refused it${why}. Do not try it again another way.`,
      )
    }
    return undefined
  }
  if (pending.kind === 'guidance' && answer.kind === 'guidance') {
    if (answer.decision === 'continue' && !answer.text.trim() && !pending.extends)
      return reject('guidance needs words')
    draft.emit(answered)
    if (answer.decision === 'continue') {
      if (pending.extends) draft.emit({ type: 'limit.extended', iterations: pending.extends })
      if (answer.text.trim()) draft.emit({ type: 'guidance.given', text: answer.text })
      enterNextPlanning(draft)
    } else if (pending.extends) endByLimit(draft, `${draft.state.iteration} iterations in one turn`)
    else
      finish(
        draft,
        'cancelled',
        reportProgress(draft.state, 'Stopped: guidance was asked for and none was given.'),
      )
    return undefined
  }
  if (pending.kind === 'question' && answer.kind === 'question') {
    const known = pending.options.some(({ value }) => value === answer.value)
    if (!known && !answer.text?.trim() && (pending.options.length > 0 || !answer.value.trim())) {
      return reject(`"${answer.value}" is none of ${pending.options.map(({ value }) => value).join(', ')}`)
    }
    draft.emit(answered)
    if (!pending.call) enterNextPlanning(draft)
    else {
      const { id: call_id } = pending.call
      const output = answerText(answer)
      draft.emit(
        { type: 'tool.called', call: pending.call, read_only: true },
        { type: 'tool.finished', call_id, success: true, output, duration_ms: 0 },
      )
    }
    return undefined
  }
  if (pending.kind === 'run_approval' && answer.kind === 'run_approval')
    return decideLaunch(draft, pending, input)
  return reject(`${pending.id} cannot be answered that way`)
}

/** The person's word on a run: it starts as shown, or as they changed it, or not at all. */
function decideLaunch(
  draft: TurnDraft,
  { id: pending_id, call, hash }: Extract<Pending, { kind: 'run_approval' }>,
  { answer, by }: Extract<TurnInput, { type: 'answer_pending' }>,
): Rejected | undefined {
  if (answer.kind !== 'run_approval') return reject(`${pending_id} is a run_approval`)
  if (answer.decision === 'approve' && answer.hash !== undefined && answer.hash !== hash)
    return reject('what was approved is not what waits here; look at it again')
  const edited = answer.decision === 'edit' ? { ...call, input: { ...call.input, ...answer.edited } } : call
  const team = draft.state.settings.launch
  if (team && answer.decision === 'edit') {
    const launch = readLaunch(edited.input, team)
    if ('refused' in launch) return reject(launch.refused)
  }
  draft.emit({ type: 'pending.answered', pending_id, answer, by })
  if (answer.decision !== 'cancel') {
    dispatchApproved(draft, edited, answer.decision === 'approve' && answer.background === true)
    return undefined
  }
  const why = answer.reason ? `: ${answer.reason}` : ''
  finishCall(draft, call, `Cancelled: the person did not want this run${why}. Nothing was started.`)
  return undefined
}
