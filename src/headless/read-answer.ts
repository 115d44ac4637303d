import type { Pending, PendingAnswer } from '../schema/pending.ts'
import { pendingCard } from '../view/pending-card.ts'

/** What a person typed as an answer: the number or value of a choice, or other words where those are taken. */
export function readAnswer(pending: Pending, typed: string): PendingAnswer | { problem: string } {
  const { choices, free_text } = pendingCard(pending)
  const words = typed.trim()
  const edit = pending.kind === 'run_approval' && readEdit(choices, words)
  if (edit) return edit
  const chosen = choices[Number(words) - 1] ?? choices.find(({ value }) => value === words)
  if (!chosen && !(free_text && words)) {
    return { problem: `choose ${choices.map(({ value }, index) => `${index + 1} (${value})`).join(', ')}` }
  }
  switch (pending.kind) {
    case 'question':
      return chosen ? { kind: 'question', value: chosen.value } : { kind: 'question', value: '', text: words }
    case 'tool_approval':
      return {
        kind: 'tool_approval',
        decision: chosen?.value === 'once' ? 'once' : chosen?.value === 'always' ? 'always' : 'deny',
        hash: pending.hash,
      }
    case 'override':
      if (!chosen || chosen.value === 'continue') return { kind: 'override', decision: 'continue' }
      return { kind: 'override', decision: 'present', agent: chosen.value }
    case 'run_approval':
      if (chosen?.value === 'approve' || chosen?.value === 'background') {
        const background = chosen.value === 'background' && { background: true }
        return { kind: 'run_approval', decision: 'approve', hash: pending.hash, ...background }
      }
      return { kind: 'run_approval', decision: 'cancel', ...(chosen ? {} : { reason: words }) }
    case 'guidance':
      if (chosen?.value === 'stop') return { kind: 'guidance', decision: 'stop' }
      return { kind: 'guidance', decision: 'continue', text: chosen ? '' : words }
  }
}

/** `edit`, or its number, and the task as it should be. */
function readEdit(
  choices: readonly { value: string }[],
  words: string,
): PendingAnswer | { problem: string } | undefined {
  const [, first = '', task = ''] = /^(\S+)\s*([^]*)$/.exec(words) ?? []
  if (first !== 'edit' && choices[Number(first) - 1]?.value !== 'edit') return undefined
  if (!task) return { problem: 'say what is to be done instead: edit <the task as it should be>' }
  return { kind: 'run_approval', decision: 'edit', edited: { task } }
}
