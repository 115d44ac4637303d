import { readChatConfig, readMode } from '../../schema/chat-config.ts'
import type { RunId, TurnId } from '../../schema/ids.ts'
import type { SessionEvent } from '../../schema/session-event.ts'
import { append } from '../list.ts'
import { type ChatPlan, type OpenRun, type PlanApproval, type SessionState, waitsIn } from './state.ts'

export function evolve(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'chat.created': {
      const { chat_id, title, folder, forked_from } = event
      return {
        ...state,
        chat_id,
        title,
        folder,
        ...readChatConfig(event.config),
        turns: (forked_from?.turns ?? []).reduce(append<TurnId | RunId>, state.turns),
      }
    }
    case 'chat_config.changed':
      return { ...state, warning: undefined, ...readChatConfig(event.config) }
    case 'message.added': {
      const message = { ...event.message, message_type: event.message.message_type ?? 'Text' }
      return {
        ...state,
        messages: append(state.messages, message),
        noted: message.pending_id ? [...state.noted, message.pending_id] : state.noted,
      }
    }
    case 'turn.opened': {
      const { turn_id, agent_id, prompt, pictures } = event
      const settings = { ...event.settings, mode: readMode(event.settings.mode) }
      return { ...state, open_turn: { turn_id, agent_id, prompt, ...(pictures && { pictures }), settings } }
    }
    case 'plan.proposed': {
      const { plan_id, revision, plan, directory, changes } = event
      const steps = plan.steps.map(({ step_number }) => ({ step_number, status: 'pending' }) as const)
      const approvals = state.plan?.plan_id === plan_id ? state.plan.approvals : []
      const proposed = { plan_id, revision, plan, directory, status: 'proposed', steps, approvals } as const
      return { ...state, plan: { ...proposed, ...(changes && { changes }) } }
    }
    case 'plan.approved':
      return changePlan(state, event.plan_id, (plan) => ({
        ...plan,
        status: 'approved',
        approvals: [...plan.approvals, approvalOf(event)],
      }))
    case 'plan.stored':
      return changePlan(state, event.plan_id, (plan) => ({
        ...plan,
        stored: `${event.plan_id}:${event.revision}:${event.status}`,
      }))
    case 'plan.rejected':
      return changePlan(state, event.plan_id, (plan) => ({ ...plan, status: 'rejected' }))
    case 'plan.executed':
      return changePlan(state, event.plan_id, (plan) => ({
        ...plan,
        status: event.outcome,
        steps: event.steps,
      }))
    case 'permission.granted':
      return { ...state, grants: [...state.grants, ...event.grants] }
    case 'turn.closed':
      return {
        ...state,
        open_turn: null,
        noted: notedIn(state, state.background),
        last_outcome: event.outcome,
        turns: append(state.turns, event.turn_id),
      }
    case 'run.opened': {
      const { run_id, prompt, pictures, settings, follow_up } = event
      const opened = {
        ...{ run_id, prompt, settings },
        ...(pictures && { pictures }),
        ...(follow_up && { follow_up }),
      }
      return event.background
        ? { ...state, background: [...state.background, opened] }
        : { ...state, open_run: opened }
    }
    case 'run.closed': {
      const turns = append(state.turns, event.run_id)
      const background = state.background.filter(({ run_id }) => run_id !== event.run_id)
      if (background.length < state.background.length) return { ...state, background, turns }
      const noted = notedIn(state, background)
      return { ...state, open_run: null, noted, last_outcome: event.outcome, turns }
    }
    case 'session.compaction_requested': {
      const { type: _, ...compacting } = event
      return { ...state, compacting }
    }
    case 'session.compacted': {
      const { type: _, ...compaction } = event
      const over = compaction.tokens_after > (compaction.threshold_tokens ?? Infinity)
      const futile = over ? state.compaction_attempts.futile + 1 : 0
      return {
        ...state,
        compaction,
        compacting: null,
        compaction_attempts: { failed: 0, futile },
        compaction_problem: undefined,
      }
    }
    case 'session.compaction_failed': {
      const { reason, kind } = event
      const attempts = { ...state.compaction_attempts }
      if (kind) attempts[kind] += 1
      return {
        ...state,
        compacting: null,
        compaction_attempts: attempts,
        compaction_problem: reason,
      }
    }
  }
}

/** Of the noted pendings, those that may still wait. */
const notedIn = ({ noted }: SessionState, runs: readonly OpenRun[]): string[] =>
  noted.filter((id) => runs.some((run) => waitsIn(run, id)))

function approvalOf({
  revision,
  by,
  additions,
  reviews,
}: Extract<SessionEvent, { type: 'plan.approved' }>): PlanApproval {
  return { revision, by, reviews, ...(additions && { additions }) }
}

function changePlan(state: SessionState, id: string, change: (plan: ChatPlan) => ChatPlan): SessionState {
  return state.plan?.plan_id === id ? { ...state, plan: change(state.plan) } : state
}
