import { useRef } from 'react'
import type { PendingAnswer } from '../../schema/pending.ts'
import type { OpenPending } from '../../view/chat-view.ts'
import { QuestionMessageCard } from '../cards/question-message-card.tsx'
import { useFocusBack } from '../parts/use-focus-back.ts'
import { ApprovalCard } from './approval-card.tsx'
import { OverrideCard } from './override-card.tsx'
import { RunApprovalCard } from './run-approval-card.tsx'

interface Props {
  open: OpenPending
  more: number
  onAnswer: (open: OpenPending, answer: PendingAnswer) => void
  onDiff: (label: string) => void
}

/** What waits for a person, one at a time, the oldest first. */
export function PendingPanel({ open, more, onAnswer, onDiff }: Props) {
  const { pending, agent_id } = open
  const panel = useRef<HTMLDivElement>(null)
  useFocusBack(panel)
  const answer = (given: PendingAnswer): void => onAnswer(open, given)
  return (
    <div ref={panel} className="pending" aria-live="polite">
      {pending.kind === 'tool_approval' && (
        <ApprovalCard pending={pending} agent={agent_id ?? 'agent'} onAnswer={answer} />
      )}
      {(pending.kind === 'question' || pending.kind === 'guidance') && (
        <QuestionMessageCard pending={pending} agent={agent_id ?? undefined} onAnswer={answer} />
      )}
      {pending.kind === 'run_approval' && <RunApprovalCard pending={pending} onAnswer={answer} />}
      {pending.kind === 'override' && <OverrideCard pending={pending} onAnswer={answer} onDiff={onDiff} />}
      {more > 0 && <p className="muted small">and {more} more after this</p>}
    </div>
  )
}
