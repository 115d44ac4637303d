import { useState } from 'react'
import type { PlanStep, StepReview } from '../../schema/plan.ts'
import type { StepProgress } from '../../schema/turn-event.ts'
import { neutralize } from '../../view/neutralize.ts'
import { Words } from '../markdown/markdown.tsx'
import type { StepDraft } from './plan-draft.ts'

interface Props {
  step: PlanStep
  progress?: StepProgress
  /** Present while a person may still change the plan. */
  draft?: StepDraft
  onChange?: (change: StepDraft) => void
  /** What was decided about it. */
  review?: StepReview
  fresh: boolean
}

export function PlanStepRow({ step, progress, draft, onChange, review, fresh }: Props) {
  const skipped = draft?.skip ?? review?.decision === 'skip'
  const edited = draft?.edit ?? review?.edit
  const comment = draft ? draft.comment?.trim() : review?.comment
  const status = progress?.status ?? 'pending'
  return (
    <li className={`step ${status} ${skipped ? 'skipped' : ''} ${fresh ? 'fresh' : ''}`}>
      <span className="step-mark" aria-hidden="true">
        {marks[status] ?? step.step_number}
      </span>
      <div className="step-words">
        <p className="step-action">
          <Words text={neutralize(edited?.trim() ? edited : step.action)} />
          {status !== 'pending' && <span className="hidden-words"> ({status})</span>}
          {fresh && <span className="chip">changed</span>}
        </p>
        {step.reason && (
          <p className="muted small">
            why: <Words text={neutralize(step.reason)} />
          </p>
        )}
        <p className="muted small">
          {neutralize(
            [step.tools_needed.join(', '), step.files?.join(', '), step.estimated_time]
              .filter(Boolean)
              .join(' · '),
          )}
        </p>
        {comment && <p className="small">comment: {comment}</p>}
        {progress?.note && <p className="small muted">{progress.note}</p>}
        {draft && onChange && <StepEditor step={step} draft={draft} onChange={onChange} />}
      </div>
    </li>
  )
}

const marks: Partial<Record<StepProgress['status'], string>> = {
  done: '✔',
  failed: '✖',
  running: '▸',
  skipped: '–',
}

function StepEditor({ step, draft, onChange }: Required<Pick<Props, 'step' | 'draft' | 'onChange'>>) {
  const [open, setOpen] = useState<'edit' | 'comment' | undefined>(
    draft.edit ? 'edit' : draft.comment ? 'comment' : undefined,
  )
  const number = step.step_number
  const toggle = (which: 'edit' | 'comment') => () => setOpen(open === which ? undefined : which)
  return (
    <div className="step-editor">
      <div className="buttons">
        <button
          type="button"
          className="button bare small"
          aria-expanded={open === 'edit'}
          onClick={toggle('edit')}
        >
          Edit<span className="hidden-words"> step {number}</span>
        </button>
        <button
          type="button"
          className="button bare small"
          aria-expanded={open === 'comment'}
          onClick={toggle('comment')}
        >
          Comment<span className="hidden-words"> on step {number}</span>
        </button>
        <button
          type="button"
          className="button bare small"
          aria-pressed={draft.skip === true}
          onClick={() => onChange({ skip: !draft.skip })}
        >
          {draft.skip ? 'Skipped' : 'Skip'}
          <span className="hidden-words"> step {number}</span>
        </button>
      </div>
      {open === 'edit' && (
        <textarea
          className="field"
          aria-label={`Step ${number}: what to do instead`}
          value={draft.edit ?? step.action}
          onChange={({ target }) =>
            onChange({ edit: target.value === step.action ? undefined : target.value })
          }
        />
      )}
      {open === 'comment' && (
        <textarea
          className="field"
          aria-label={`Comment on step ${number}`}
          placeholder="Comment for the agent"
          value={draft.comment ?? ''}
          onChange={({ target }) => onChange({ comment: target.value })}
        />
      )}
    </div>
  )
}
