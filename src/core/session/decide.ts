import type { Message } from '../../schema/message.ts'
import type { ApprovedPlan } from '../../schema/plan.ts'
import type { SessionEvent } from '../../schema/session-event.ts'
import type { TurnSettings } from '../../schema/turn-event.ts'
import { type Rejected, reject } from '../aggregate.ts'
import { lengthOf } from '../list.ts'
import { diffPlans } from '../plan/diff-plans.ts'
import { parsePlan, readPlan } from '../plan/parse-plan.ts'
import { parseQuestion } from '../plan/parse-question.ts'
import type { SessionInput } from './input.ts'
import { type SessionState, initialSession } from './state.ts'

type InputOf<T extends SessionInput['type']> = Extract<SessionInput, { type: T }>

export function decide(state: SessionState, input: SessionInput): SessionEvent[] | Rejected {
  const exists = state.chat_id !== initialSession.chat_id
  if (input.type === 'create') return exists ? reject(`${state.chat_id} exists already`) : create(input)
  if (!exists) return reject('there is no such chat')
  switch (input.type) {
    case 'send_message':
      return sendMessage(state, input)
    case 'set_agent_mode':
      if (state.config.agent_mode === input.agent_mode) return []
      if (state.open_turn)
        return reject('the agent is working; switching the mode stops it and must be confirmed')
      return [{ type: 'chat_config.changed', config: { ...state.config, agent_mode: input.agent_mode } }]
    case 'execute_plan':
      return executePlan(state, input)
    case 'reject_plan': {
      const wrong = mismatch(state, input)
      if (wrong) return reject(wrong)
      return [{ type: 'plan.rejected', plan_id: input.plan_id, revision: input.revision }]
    }
    case 'import_plan':
      return importPlan(state, input)
    case 'plan_stored': {
      const { type: _, ...stored } = input
      return [{ type: 'plan.stored', ...stored }]
    }
    case 'note_pending':
      return notePending(state, input)
    case 'turn_ended':
      return endTurn(state, input)
  }
}

function create({ chat_id, folder, title, config, fork }: InputOf<'create'>): SessionEvent[] {
  const created: SessionEvent = { type: 'chat.created', chat_id, title, folder, config }
  if (!fork) return [created]
  return [
    { ...created, forked_from: { chat_id: fork.chat_id, turns: fork.turns } },
    ...fork.messages.map((message): SessionEvent => ({ type: 'message.added', message })),
  ]
}

function sendMessage(
  state: SessionState,
  { text, turn }: InputOf<'send_message'>,
): SessionEvent[] | Rejected {
  if (!text.trim()) return reject('the message is empty')
  if (state.open_turn) return reject('the agent is still working; interrupt it or wait')
  const { turn_id, agent_id } = turn
  const settings = { ...turn.settings, mode: state.config.agent_mode, grants: [...state.grants] }
  return [
    said(state, { role: 'user', text, turn_id }),
    { type: 'turn.opened', turn_id, agent_id, prompt: text, settings },
  ]
}

/** Approving and starting are one decision: what runs is the revision the person saw, with the words they added. */
function executePlan(state: SessionState, input: InputOf<'execute_plan'>): SessionEvent[] | Rejected {
  if (state.open_turn) return reject('the agent is still working; interrupt it or wait')
  const wrong = mismatch(state, input)
  if (wrong || !state.plan) return reject(wrong ?? 'there is no plan to execute')
  const { plan_id, revision, reviews, by } = input
  if (state.plan.status === 'complete')
    return reject(`${plan_id} was carried out already; ask for a new plan to do it again`)
  const steps = new Set(state.plan.plan.steps.map(({ step_number }) => step_number))
  const unknown = reviews.find(({ step_number }) => !steps.has(step_number))
  if (unknown) return reject(`the plan has no step ${unknown.step_number}`)
  if (reviews.filter(({ decision }) => decision === 'skip').length === steps.size)
    return reject('every step is skipped')
  const additions = input.additions?.trim() ? input.additions : undefined
  const { directory, plan } = state.plan
  const approved: ApprovedPlan = {
    plan_id,
    revision,
    plan,
    reviews,
    directory,
    ...(additions && { additions }),
  }
  const { turn_id, agent_id } = input.turn
  const text = additions ? `Execute the plan.\n\n${additions}` : 'Execute the plan.'
  const settings: TurnSettings = {
    ...input.turn.settings,
    mode: 'Act',
    grants: [...state.grants],
    plan: approved,
  }
  const events: SessionEvent[] = [
    { type: 'plan.approved', plan_id, revision, reviews, by, ...(additions && { additions }) },
    said(state, { role: 'user', text, turn_id }),
    { type: 'turn.opened', turn_id, agent_id, prompt: text, settings },
  ]
  if (state.config.agent_mode === 'Act') return events
  return [{ type: 'chat_config.changed', config: { ...state.config, agent_mode: 'Act' } }, ...events]
}

/** A plan from outside is checked like one from a model, and its place is ours to choose. */
function importPlan(state: SessionState, input: InputOf<'import_plan'>): SessionEvent[] | Rejected {
  if (state.open_turn) return reject('the agent is still working; interrupt it or wait')
  const { plan_id, revision } = input
  if (!/^plan_[\w-]{1,60}$/.test(plan_id)) return reject(`${JSON.stringify(plan_id)} is no id of a plan`)
  if (!Number.isSafeInteger(revision) || revision < 1)
    return reject(`a revision is a whole number from 1 on, not ${revision}`)
  const plan = readPlan({ ...input.plan })
  if (!plan) return reject('this is no plan: a goal and at least one step with an action are needed')
  return [{ type: 'plan.proposed', plan_id, revision, plan, directory: planDirectory(plan_id) }]
}

const planDirectory = (plan_id: string): string => `.conclave/plans/${plan_id}`

function mismatch(
  { plan }: SessionState,
  { plan_id, revision }: { plan_id: string; revision: number },
): string | undefined {
  if (!plan) return 'this chat has no plan'
  if (plan.plan_id !== plan_id) return `the plan of this chat is ${plan.plan_id}, not ${plan_id}`
  if (plan.revision !== revision) return `the plan was revised meanwhile: look at revision ${plan.revision}`
  return plan.status === 'rejected' ? `${plan_id} was rejected` : undefined
}

function notePending(
  state: SessionState,
  { turn_id, agent_id, pending }: InputOf<'note_pending'>,
): SessionEvent[] {
  if (state.open_turn === null || state.noted.includes(pending.id)) return []
  const more = { role: 'agent', agent_id, turn_id, pending_id: pending.id } as const
  switch (pending.kind) {
    case 'question':
    case 'guidance':
      return [said(state, { ...more, message_type: 'Question', text: pending.question })]
    case 'tool_approval':
      return [
        said(state, { ...more, message_type: 'ToolCall', text: `${pending.call.name}: ${pending.reason}` }),
      ]
  }
}

function endTurn(state: SessionState, input: InputOf<'turn_ended'>): SessionEvent[] | Rejected {
  const { turn_id, agent_id, outcome, answer, grants, steps } = input
  if (state.open_turn?.turn_id !== turn_id) return reject(`${turn_id} is not under way in this chat`)
  const executed = state.open_turn.settings.plan
  const events = answerEvents(
    state,
    { role: 'agent', text: answer, agent_id, turn_id },
    outcome === 'complete',
  )
  if (grants.length > 0) events.push({ type: 'permission.granted', grants: [...grants] })
  if (executed) {
    const { plan_id, revision } = executed
    events.push({ type: 'plan.executed', plan_id, revision, outcome, steps: [...steps] })
  }
  return [...events, { type: 'turn.closed', turn_id, outcome }]
}

/** In Plan mode an answer that holds a plan is a plan; one that does not is text. */
function answerEvents(
  state: SessionState,
  answer: Omit<Message, 'id' | 'message_type'>,
  complete: boolean,
): SessionEvent[] {
  const plan = complete && state.open_turn?.settings.mode === 'Plan' ? parsePlan(answer.text) : undefined
  if (!plan)
    return [
      said(state, { ...answer, ...(complete && parseQuestion(answer.text) && { message_type: 'Question' }) }),
    ]
  const open = state.plan?.status === 'proposed' ? state.plan : undefined
  const plan_id = open?.plan_id ?? `plan_${state.open_turn?.turn_id.slice(-8)}`
  const revision = (open?.revision ?? 0) + 1
  const changes = open ? { changes: diffPlans(open.plan, plan) } : {}
  return [
    said(state, { ...answer, message_type: 'Plan', plan: { plan_id, revision } }),
    { type: 'plan.proposed', plan_id, revision, plan, directory: planDirectory(plan_id), ...changes },
  ]
}

function said(
  state: SessionState,
  message: Omit<Message, 'id' | 'message_type'> & Partial<Pick<Message, 'message_type'>>,
): SessionEvent {
  const id = `m${lengthOf(state.messages) + 1}`
  return { type: 'message.added', message: { id, message_type: 'Text', ...message } }
}
