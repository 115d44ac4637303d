import { useMemo } from 'react'
import { neutralize } from '../../view/neutralize.ts'
import type { AgentMessage } from '../../view/transcript-item.ts'
import type { ChatPlan } from '../../core/session/state.ts'
import { parsePlan } from '../../core/plan/parse-plan.ts'
import { Words } from '../markdown/markdown.tsx'
import { PlanStepRow } from '../plan/plan-step-row.tsx'
import { type PlanDraft, changeStep } from '../plan/plan-draft.ts'
import { MessageCard } from './message-card.tsx'

interface Props {
  item: AgentMessage
  /** The chat's newest plan. */
  current: ChatPlan | null
  /** Present while this revision can still be changed and approved. */
  draft?: PlanDraft
  onDraft: (draft: PlanDraft) => void
}

/** A plan. The newest revision can be edited step by step until it is decided on. */
export function PlanMessageCard({ item, current, draft, onDraft }: Props) {
  const own =
    current && current.plan_id === item.plan?.plan_id && current.revision === item.plan.revision
      ? current
      : undefined
  const plan = useMemo(() => own?.plan ?? parsePlan(item.text), [own?.plan, item.text])
  if (!plan) return <MessageCard item={item} />
  const changes = own?.changes ?? []
  const approval = own?.approvals.at(-1)
  const isFresh = (step: number): boolean =>
    changes.some(({ kind, step_number }) => kind !== 'removed' && step_number === step)
  return (
    <section
      className={`card plan ${own ? (isAhead(own) ? '' : 'past') : 'over'}`}
      data-card="PlanMessageCard"
    >
      <header className="card-head">
        <h2>
          {item.plan ? `Plan r${item.plan.revision}` : 'Plan'} · <Words text={neutralize(plan.goal)} />
        </h2>
        <span className="chip push">{own ? statusWords[own.status] : 'replaced'}</span>
      </header>
      <ol className="steps">
        {plan.steps.map((step) => (
          <PlanStepRow
            key={step.step_number}
            step={step}
            progress={own?.steps.find(({ step_number }) => step_number === step.step_number)}
            review={approval?.reviews.find(({ step_number }) => step_number === step.step_number)}
            fresh={isFresh(step.step_number)}
            {...(draft && {
              draft: draft.steps[step.step_number] ?? {},
              onChange: (change) => onDraft(changeStep(draft, step.step_number, change)),
            })}
          />
        ))}
      </ol>
      <dl className="facts">
        {plan.risks.length > 0 && (
          <>
            <dt>Risks</dt>
            <dd>{neutralize(plan.risks.join(' · '))}</dd>
          </>
        )}
        <dt>Needs</dt>
        <dd>{neutralize(plan.prerequisites.join(' · ')) || 'nothing'}</dd>
        {plan.estimated_total_time && (
          <>
            <dt>Estimate</dt>
            <dd>{plan.estimated_total_time}</dd>
          </>
        )}
        {own && (
          <>
            <dt>Kept in</dt>
            <dd className="mono">{own.directory}</dd>
          </>
        )}
        {approval?.additions && (
          <>
            <dt>Added</dt>
            <dd>{approval.additions}</dd>
          </>
        )}
      </dl>
      {changes.length > 0 && (
        <div className="changes" role="group" aria-label={`Changed since r${(own?.revision ?? 1) - 1}`}>
          <p className="small muted">changed since r{(own?.revision ?? 1) - 1}</p>
          <ul>
            {changes.map(({ kind, step_number, text }, index) => (
              <li key={index} className={kind}>
                <span aria-hidden="true">{kind === 'added' ? '+' : kind === 'removed' ? '−' : '~'}</span>{' '}
                {step_number === undefined ? '' : `step ${step_number} `}
                {kind}: {neutralize(text)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

const isAhead = ({ status }: ChatPlan): boolean => status === 'proposed' || status === 'approved'

const statusWords: Record<ChatPlan['status'], string> = {
  proposed: 'waiting for you',
  approved: 'being carried out',
  rejected: 'rejected',
  complete: 'done',
  failed: 'failed',
  limit: 'stopped at a limit',
  cancelled: 'stopped',
}
