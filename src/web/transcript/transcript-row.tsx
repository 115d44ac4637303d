import { memo } from 'react'
import type { ChatPlan } from '../../core/session/state.ts'
import { neutralize } from '../../view/neutralize.ts'
import type { AgentMessage, TranscriptItem } from '../../view/transcript-item.ts'
import { LineCard } from '../cards/line-card.tsx'
import { MessageCard } from '../cards/message-card.tsx'
import { PlanMessageCard } from '../cards/plan-message-card.tsx'
import { QuestionMessageCard } from '../cards/question-message-card.tsx'
import { ToolCallCard } from '../cards/tool-call-card.tsx'
import { ToolResultCard } from '../cards/tool-result-card.tsx'
import { WrittenFilesCard } from '../cards/written-files-card.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { duration } from '../parts/words.ts'
import type { PlanDraft } from '../plan/plan-draft.ts'
import { EvidenceMarks } from '../team/evidence-marks.tsx'
import { VoteChart } from '../team/vote-chart.tsx'

export interface RowProps {
  item: TranscriptItem
  /** Only for a row that shows a plan. */
  plan?: ChatPlan | null
  draft?: PlanDraft
  /** What a running call has printed so far. */
  output?: string
  /** Who asked, when it was not the person. */
  asker?: string
  onDraft: (draft: PlanDraft) => void
  onDiff: (label: string) => void
}

/** One item of the transcript as the card it is. */
export const TranscriptRow = memo(
  ({ item, plan = null, draft, output, asker, onDraft, onDiff }: RowProps) => {
    switch (item.kind) {
      case 'user_message':
        return <MessageCard item={item} asker={asker} />
      case 'agent_message':
        if (item.message_type === 'Plan')
          return <PlanMessageCard item={item} current={plan} draft={draft} onDraft={onDraft} />
        return item.message_type === 'Question' ? <Asked item={item} /> : <MessageCard item={item} />
      case 'tool_call':
        return item.status === 'waiting' || item.status === 'running' ? (
          <ToolCallCard item={item} output={output} />
        ) : (
          <ToolResultCard item={item} />
        )
      case 'written_files':
        return <WrittenFilesCard item={item} />
      case 'answer_submitted':
        return (
          <section className="card answer" data-card="AnswerCard">
            <header className="card-head">
              <h2>
                {item.agent_id} · {item.label}
              </h2>
              <EvidenceMarks evidence={item.evidence} />
              {item.files > 0 && (
                <button
                  type="button"
                  className="button bare small push mono"
                  onClick={() => onDiff(item.label)}
                >
                  +{item.added} −{item.removed}
                  <span className="hidden-words"> show the changes of {item.label}</span>
                </button>
              )}
            </header>
            <Markdown text={item.text.text} />
          </section>
        )
      case 'voting_completed':
        return (
          <section className="card answer" data-card="VotesCard">
            <header className="card-head">
              <h2>
                {item.winner} wins with {item.label}
              </h2>
              <span className="chip push">{item.tie ? 'a tie' : `margin ${item.margin}`}</span>
            </header>
            <VoteChart tally={item.tally} winner={item.winner} />
          </section>
        )
      default:
        return <SmallItem item={item} />
    }
  },
)

/** A question whose log was not read has only its words. */
function Asked({ item }: { item: AgentMessage }) {
  const { pending, answer, answered_by, agent_id } = item
  if (pending?.kind !== 'question' && pending?.kind !== 'guidance') return <MessageCard item={item} />
  return <QuestionMessageCard pending={pending} answer={answer} answeredBy={answered_by} agent={agent_id} />
}

type Small = Exclude<
  TranscriptItem,
  {
    kind:
      | 'user_message'
      | 'agent_message'
      | 'tool_call'
      | 'written_files'
      | 'answer_submitted'
      | 'voting_completed'
  }
>

function SmallItem({ item }: { item: Small }) {
  switch (item.kind) {
    case 'phase':
      return (
        <LineCard card="PhaseLine">
          {item.agent_id} · {item.phase}
          {item.iteration > 1 && ` ${item.iteration}`}
          {item.detail && ` · ${item.detail}`}
        </LineCard>
      )
    case 'observation':
      return (
        <LineCard card="ObservationLine">
          {item.agent_id} · Observing ·{' '}
          {item.results
            .map(
              ({ tool, success, duration_ms }) =>
                `${neutralize(tool)} ${success ? '✔' : '✖'} ${duration(duration_ms)}`,
            )
            .join(' · ')}
        </LineCard>
      )
    case 'guidance':
      return (
        <LineCard mark="↳">
          <strong>You</strong> to {item.agent_id ?? 'the agent'}: {item.text}{' '}
          <span className="muted small">{item.taken ? 'taken up' : 'waits for the next step'}</span>
        </LineCard>
      )
    case 'injected_update':
      return (
        <LineCard mark="⇢">
          update{item.labels.length > 0 && ` about ${item.labels.join(', ')}`}
          {item.text && `: ${item.text}`}
        </LineCard>
      )
    case 'reminder':
      return <LineCard mark="⇢">{item.agent_id} was reminded to answer or vote</LineCard>
    case 'retry':
      return (
        <LineCard tone="warning">
          trying again in {duration(item.delay_ms)}: {item.reason}
        </LineCard>
      )
    case 'guardrail':
      return <LineCard tone="warning">going in circles: {item.detail}</LineCard>
    case 'vote_cast':
      return (
        <LineCard mark="●">
          <strong>{item.agent_id}</strong> votes {item.label}: {item.reason}
        </LineCard>
      )
    case 'vote_rejected':
      return (
        <LineCard mark="○">
          {item.agent_id}: vote for {item.for} not counted, {item.reason}
        </LineCard>
      )
    case 'override':
      return <LineCard mark="⇄">{overrideWords(item)}</LineCard>
    case 'presentation':
      return (
        <LineCard mark="▸">
          {item.agent_id} presents ({item.strategy})
        </LineCard>
      )
    case 'run_finished':
      return (
        <LineCard tone={item.status === 'complete' ? 'good' : 'error'}>
          run {item.status}
          {item.failure && `: ${item.failure.message}`}
        </LineCard>
      )
    case 'notice':
      return (
        <LineCard tone={item.tone}>
          {item.agent_id && `${item.agent_id}: `}
          {item.text}
          {item.hint && <span className="muted"> {item.hint}</span>}
        </LineCard>
      )
  }
}

function overrideWords({ state, chosen, by, pending }: Extract<Small, { kind: 'override' }>): string {
  if (state === 'offered') return 'waiting whether somebody else should present'
  if (state === 'kept') return `kept: ${pending?.winner ?? 'the winner'}`
  return `${chosen ?? 'somebody else'} presents instead, chosen by ${by ?? 'a person'}`
}
