import { useId, useRef } from 'react'
import type { ChatPlan } from '../../core/session/state.ts'
import { useFocusBack } from '../parts/use-focus-back.ts'
import { plural } from '../parts/words.ts'
import { type PlanDraft, isTouched, reviewsOf } from '../plan/plan-draft.ts'

interface Props {
  plan: ChatPlan
  draft: PlanDraft
  onDraft: (draft: PlanDraft) => void
  onExecute: () => void
  onRevise: () => void
  onReject: () => void
}

/** What to do with the plan above: nothing is carried out before this button is pressed. */
export function PlanReview({ plan, draft, onDraft, onExecute, onRevise, onReject }: Props) {
  const id = useId()
  const review = useRef<HTMLElement>(null)
  useFocusBack(review)
  const reviews = reviewsOf(draft).length
  return (
    <section ref={review} className="card plan-review" aria-label="Plan review">
      <header className="card-head">
        <h2>
          Plan r{plan.revision} · {plural(plan.plan.steps.length, 'step')}
          {reviews > 0 && ` · ${plural(reviews, 'remark')}`}
        </h2>
        <span className="muted small mono push">{plan.directory}</span>
      </header>
      <label className="hidden-words" htmlFor={id}>
        Additional instructions
      </label>
      <input
        id={id}
        className="field"
        placeholder="Additional instructions"
        value={draft.additions}
        onChange={({ target }) => onDraft({ ...draft, additions: target.value })}
      />
      <div className="buttons">
        <button type="button" className="button main execute" onClick={onExecute}>
          Execute Plan
        </button>
        <button type="button" className="button" disabled={!isTouched(draft)} onClick={onRevise}>
          Revise with comments
        </button>
        <button type="button" className="button" onClick={onReject}>
          Reject
        </button>
        <span className="muted small wide-words">or go on planning below</span>
      </div>
    </section>
  )
}
