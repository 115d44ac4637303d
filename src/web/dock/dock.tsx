import type { Client, Roster } from '../../client/client.ts'
import type { Command, CommandResult } from '../../schema/command.ts'
import type { ChatId } from '../../schema/ids.ts'
import type { Picture } from '../../schema/picture.ts'
import type { ChatView } from '../../view/chat-view.ts'
import type { ModeState, ModeToggle } from '../../view/mode-bar.ts'
import { type PlanDraft, emptyDraft, planKey, reviewsOf, revisionRequest } from '../plan/plan-draft.ts'
import type { Attachments } from '../store/attachments.ts'
import { executePlan } from '../store/send.ts'
import { BackgroundRuns } from './background-runs.tsx'
import { Composer, type Sent } from './composer.tsx'
import { ModeBar } from './mode-bar.tsx'
import { PendingPanel } from './pending-panel.tsx'
import { PlanReview } from './plan-review.tsx'
import { StatusLine } from './status-line.tsx'

interface Props {
  chat: ChatId | undefined
  opening: boolean
  view: ChatView
  roster: Roster
  modes: ModeState
  toggles: readonly ModeToggle[]
  client: Client
  refusal: string | undefined
  drafts: Readonly<Record<string, PlanDraft>>
  /** What is written goes to an agent at work. */
  guides: boolean
  attachments: Attachments
  onDraft: (key: string, draft: PlanDraft) => void
  onDiff: (label: string) => void
  onCommand: (command: Command) => void
  onReport: (work: () => Promise<CommandResult>) => Promise<boolean>
  onSend: (text: string, pictures?: readonly Picture[]) => Promise<Sent>
  onDismiss: () => void
}

/** What needs the person, then the modes, then the input: always here, in the order of the terminal. */
export function Dock(props: Props) {
  const { chat, opening, view, roster, modes, toggles, client, refusal, drafts, guides, attachments } = props
  const { onDraft, onDiff, onCommand, onReport, onSend, onDismiss } = props
  const work = view.under_way
  const [pending, ...others] = view.pendings
  const plan = view.plan?.status === 'proposed' && !work ? view.plan : undefined
  const draft = (plan && drafts[planKey(plan)]) ?? emptyDraft
  /** In Act mode the words would be carried out. */
  const revise = async (): Promise<void> => {
    const { chat_id, config } = view
    const planning = { type: 'set_agent_mode', chat_id, agent_mode: 'Plan' } as const
    if (config.agent_mode === 'Plan' || (await onReport(() => client.execute(planning))))
      await onSend(revisionRequest(draft))
  }
  return (
    <div className="dock">
      {view.warning && <p className="notice">{view.warning}</p>}
      {refusal && (
        <p className="notice bad" role="alert">
          {refusal}
          <button type="button" className="button bare push" aria-label="Dismiss" onClick={onDismiss}>
            ✕
          </button>
        </p>
      )}
      {pending && (
        <PendingPanel
          key={`${pending.stream}${pending.pending.id}`}
          open={pending}
          more={others.length}
          onDiff={onDiff}
          onAnswer={({ stream, pending: { id } }, answer) =>
            onCommand({ type: 'answer_pending', turn_id: stream, pending_id: id, answer, by: 'web' })
          }
        />
      )}
      {plan && (
        <PlanReview
          plan={plan}
          draft={draft}
          onDraft={(next) => onDraft(planKey(plan), next)}
          onExecute={() => {
            const additions = draft.additions.trim()
            const more = { reviews: reviewsOf(draft), ...(additions && { additions }) }
            void onReport(() => executePlan(client, roster, modes, view.chat_id, plan, more))
          }}
          onRevise={() => void revise()}
          onReject={() => {
            const { plan_id, revision } = plan
            onCommand({ type: 'reject_plan', chat_id: view.chat_id, plan_id, revision })
          }}
        />
      )}
      <BackgroundRuns view={view} onCommand={onCommand} />
      <StatusLine view={view} />
      {opening ? (
        <p className="status-line">opening the chat</p>
      ) : (
        <ModeBar toggles={toggles} locked={modes.locked} onCommand={onCommand} />
      )}
      <Composer
        identity={chat ?? 'new'}
        placeholder={placeholder(view, guides)}
        guides={guides}
        disabled={opening || (work !== null && !guides)}
        attachments={attachments}
        onSend={onSend}
        {...(work && { onInterrupt: () => onCommand({ type: 'interrupt', chat_id: view.chat_id }) })}
      />
    </div>
  )
}

function placeholder({ config, under_way }: ChatView, guides: boolean): string {
  if (guides) return 'Guide the agent while it works'
  if (under_way) return 'Open an agent’s tab to guide it'
  return config.agent_mode === 'Plan' ? 'What should be planned?' : 'What should be done?'
}
