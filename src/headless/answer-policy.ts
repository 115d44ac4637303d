import type { Pending, PendingAnswer } from '../schema/pending.ts'

export type OnPending = 'fail' | 'default' | 'approve'

/** How a run without a person answers what waits for one; nothing when it cannot be answered. */
export function answerByPolicy(
  pending: Pending,
  policy: OnPending,
  override?: string,
): PendingAnswer | undefined {
  // The vote stands unless the person said beforehand who presents.
  if (pending.kind === 'override') {
    return override === undefined
      ? { kind: 'override', decision: 'continue' }
      : { kind: 'override', decision: 'present', agent: override }
  }
  if (policy === 'fail') return undefined
  switch (pending.kind) {
    case 'tool_approval':
      return policy === 'approve'
        ? { kind: 'tool_approval', decision: 'once', hash: pending.hash }
        : { kind: 'tool_approval', decision: 'deny', reason: 'nobody is there to approve it' }
    case 'run_approval':
      return policy === 'approve'
        ? { kind: 'run_approval', decision: 'approve', hash: pending.hash }
        : { kind: 'run_approval', decision: 'cancel', reason: 'nobody is there to approve it' }
    case 'guidance':
      return policy === 'approve'
        ? {
            kind: 'guidance',
            decision: 'continue',
            text: pending.extends ? '' : 'Nobody can answer now. Decide yourself, another way than before.',
          }
        : { kind: 'guidance', decision: 'stop' }
    case 'question': {
      const value = pending.default ?? (policy === 'approve' ? pending.options[0]?.value : undefined)
      return value === undefined ? undefined : { kind: 'question', value }
    }
  }
}
