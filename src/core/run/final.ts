import type { ToolCall } from '../../schema/turn-event.ts'
import { ruleOnChange } from '../policy/authorize.ts'
import { sha256 } from '../sha256.ts'
import { findAnswer } from './state.ts'
import { type RunDraft, nextPendingId } from './steps.ts'

/** More changed files than this are a mass change, which a person agrees to. */
const MASS = 20

/** Agents delete freely in their own copies; in the person's folder that is asked for, by the same rules as a tool call. */
export function gateApply(draft: RunDraft): void {
  const { state } = draft
  const { permission, rules = [] } = state.settings.turn
  const label = state.presenter?.label ?? ''
  const snapshot = findAnswer(state, label)?.snapshot
  if (!snapshot || state.apply_agreed) return
  const ruled = snapshot.changed.map((file) => ({ ...file, rule: ruleOnChange(rules, file) }))
  const asked = ruled.find(({ rule }) => rule === 'ask')
  const deleted = ruled.filter(({ change, rule }) => change === 'deleted' && rule !== 'allow').length
  const large = [
    ...(deleted > 0 ? [`it deletes ${deleted === 1 ? 'a file' : `${deleted} files`}`] : []),
    ...(snapshot.files > MASS ? [`it changes ${snapshot.files} files`] : []),
  ]
  const reason = [
    ...(permission === 'auto' ? [] : large),
    ...(asked ? [`a rule of the config asks about ${asked.path}`] : []),
  ].join(' and ')
  if (!reason) return
  const call: ToolCall = {
    id: `${state.run_id}:apply`,
    name: 'apply_answer',
    input: { label, files: snapshot.changed.map(({ path, change }) => `${path} (${change})`) },
  }
  if (permission === 'deny') return refuseApply(draft, `${reason}, and nothing that would ask is allowed`)
  draft.emit({
    type: 'pending.opened',
    pending: {
      id: nextPendingId(state),
      kind: 'tool_approval',
      call,
      hash: sha256(JSON.stringify([call.name, call.input])),
      reason,
      severity: 'major',
      always: [],
    },
  })
}

export function refuseApply(draft: RunDraft, reason: string, by: 'person' | 'policy' = 'policy'): void {
  const { state } = draft
  const label = state.presenter?.label ?? ''
  const changed = findAnswer(state, label)?.snapshot.changed ?? []
  const conflicts = changed.map(({ path }) => ({ path, reason: `not written: ${reason}` }))
  const refused = by === 'person' && { refused: true as const }
  draft.emit({ type: 'answer.applied', label, files: [], conflicts, ...refused })
}
