import { type RunState, findAnswer } from './state.ts'

/** What the writable places look like must be known before anything is written. A planning run writes nothing. */
export const awaitsBaseline = ({ settings, baseline }: RunState): boolean =>
  settings.turn.mode === 'Act' && baseline === undefined

/** The presenter worked in a copy, and its changes are not in the person's folder yet. */
export function awaitsApply(state: RunState): boolean {
  const { settings, presenter, applied } = state
  if (applied || !presenter || settings.turn.mode !== 'Act') return false
  if (settings.coordination.write_during_coordination) return false
  const snapshot = findAnswer(state, presenter.label)?.snapshot
  return snapshot !== undefined && snapshot.path !== null && snapshot.files > 0
}

/** Nothing is in the way: the answer is being put into the person's folder. */
export const isApplying = (state: RunState): boolean =>
  state.stage === 'presenting' && !awaitsBaseline(state) && awaitsApply(state) && state.pendings.length === 0
