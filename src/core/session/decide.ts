import type { ChatMode } from '../../schema/chat-config.ts'
import type { RunId, TurnId } from '../../schema/ids.ts'
import type { Message } from '../../schema/message.ts'
import type { ApprovedPlan } from '../../schema/plan.ts'
import type { RunSettings } from '../../schema/run-event.ts'
import type { SessionEvent } from '../../schema/session-event.ts'
import type { TurnSettings } from '../../schema/turn-event.ts'
import { type Rejected, reject } from '../aggregate.ts'
import { lengthOf, toArray } from '../list.ts'
import { withoutWrites } from '../modes/overrides.ts'
import { withinBudget } from '../launch/budget-left.ts'
import { executionPrompt } from '../launch/launch-prompts.ts'
import { diffPlans } from '../plan/diff-plans.ts'
import { parsePlan, readPlan } from '../plan/parse-plan.ts'
import { parseQuestion } from '../plan/parse-question.ts'
import { decideCompaction, dueCompaction } from './compaction.ts'
import type { SessionInput } from './input.ts'
import { refuseTeam } from './refuse-team.ts'
import { type SessionState, actsInBackground, initialSession, isBusy, waitsIn } from './state.ts'

type InputOf<T extends SessionInput['type']> = Extract<SessionInput, { type: T }>

export function decide(state: SessionState, input: SessionInput): SessionEvent[] | Rejected {
  const exists = state.chat_id !== initialSession.chat_id
  if (input.type === 'create') return exists ? reject(`${state.chat_id} exists already`) : create(input)
  if (!exists) return reject('there is no such chat')
  switch (input.type) {
    case 'send_message':
      return sendMessage(state, input)
    case 'start_run':
      return startRun(state, input)
    case 'launch_run':
      return launchRun(state, input)
    case 'run_ended':
      return endRun(state, input)
    case 'set_team': {
      if (isBusy(state)) return reject('agents are working; interrupt them or wait')
      const { type: _, ...chosen } = input
      return [{ type: 'chat_config.changed', config: { ...state.config, ...chosen } }]
    }
    case 'set_agent_mode':
      if (state.config.agent_mode === input.agent_mode) return []
      if (isBusy(state))
        return reject('the agent is working; switching the mode stops it and must be confirmed')
      if (input.agent_mode === 'Plan' && actsInBackground(state))
        return reject('a run works in the background; switching to Plan mode stops it and must be confirmed')
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
    case 'compact':
    case 'compacted':
    case 'compaction_failed':
    case 'stop_compaction':
      return decideCompaction(state, input)
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
    ...(fork.compaction ? [{ type: 'session.compacted', ...fork.compaction } as const] : []),
  ]
}

function sendMessage(
  state: SessionState,
  { text, pictures = [], turn, measured }: InputOf<'send_message'>,
): SessionEvent[] | Rejected {
  if (!text.trim() && pictures.length === 0) return reject('the message is empty')
  if (isBusy(state)) return reject('the agent is still working; interrupt it or wait')
  const { turn_id, agent_id } = turn
  const settings = { ...turn.settings, mode: state.config.agent_mode, grants: [...state.grants] }
  const shown = pictures.length > 0 && { pictures }
  return [
    said(state, { role: 'user', text, ...shown, turn_id }),
    { type: 'turn.opened', turn_id, agent_id, prompt: text, ...shown, settings },
    ...dueCompaction(state, agent_id, measured),
  ]
}

function startRun(
  state: SessionState,
  { text, pictures = [], run_id, settings, measured }: InputOf<'start_run'>,
): SessionEvent[] | Rejected {
  if (!text.trim() && pictures.length === 0) return reject('the message is empty')
  if (isBusy(state)) return reject('the agents are still working; interrupt them or wait')
  const refused = refuseTeam(settings)
  if (refused) return reject(refused)
  const turn = { ...settings.turn, mode: state.config.agent_mode, grants: [...state.grants] }
  const shown = pictures.length > 0 && { pictures }
  return [
    said(state, { role: 'user', text, ...shown, run_id }),
    { type: 'run.opened', run_id, prompt: text, ...shown, settings: inMode({ ...settings, turn }) },
    ...dueCompaction(state, settings.agents[0]?.id ?? '', measured),
  ]
}

/** Launching it again after a crash changes nothing. */
function launchRun(state: SessionState, input: InputOf<'launch_run'>): SessionEvent[] | Rejected {
  const { type: _, ...run } = input
  const { background, turns, config } = state
  if (background.some(({ run_id }) => run_id === run.run_id) || toArray(turns).includes(run.run_id)) return []
  if (config.agent_mode === 'Plan' && run.settings.turn.mode === 'Act')
    return reject('the chat is in Plan mode, where nothing is changed')
  return [{ type: 'run.opened', ...run, background: true }]
}

const inMode = (settings: RunSettings): RunSettings =>
  settings.turn.mode === 'Plan'
    ? { ...settings, coordination: withoutWrites(settings.coordination) }
    : settings

function endRun(state: SessionState, input: InputOf<'run_ended'>): SessionEvent[] | Rejected {
  const { run_id, agent_id, outcome, answer } = input
  const open = [state.open_run, ...state.background].find((run) => run?.run_id === run_id)
  if (!open) return reject(`${run_id} is not under way in this chat`)
  const { mode } = open.settings.turn
  const complete = outcome === 'complete'
  const message = { role: 'agent', text: answer, run_id, ...(agent_id && { agent_id }) } as const
  const background = open !== state.open_run
  const closed = { type: 'run.closed', run_id, outcome, ...(background && { background }) } as const
  // What is carried out at once is no proposal any more.
  const { follow_up } = open
  const settings = follow_up && withinBudget(follow_up.settings, input.usage)
  if (follow_up && settings && complete && state.config.agent_mode === 'Act') {
    const next = { ...follow_up, prompt: executionPrompt(follow_up.prompt, answer), settings }
    return [said(state, message), closed, { type: 'run.opened', ...next, background: true }]
  }
  return [...answerEvents(state, message, { complete, mode, id: run_id }), closed]
}

/** Approving and starting are one decision: what runs is the revision the person saw, with the words they added. */
function executePlan(state: SessionState, input: InputOf<'execute_plan'>): SessionEvent[] | Rejected {
  if (isBusy(state)) return reject('the agent is still working; interrupt it or wait')
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
    ...dueCompaction(state, agent_id, input.measured),
  ]
  if (state.config.agent_mode === 'Act') return events
  return [{ type: 'chat_config.changed', config: { ...state.config, agent_mode: 'Act' } }, ...events]
}

/** A plan from outside is checked like one from a model, and its place is ours to choose. */
function importPlan(state: SessionState, input: InputOf<'import_plan'>): SessionEvent[] | Rejected {
  if (isBusy(state)) return reject('the agent is still working; interrupt it or wait')
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
  const waits = isBusy(state) || state.background.some((run) => waitsIn(run, pending.id))
  if (!waits || state.noted.includes(pending.id)) return []
  const work = turn_id.startsWith('run_') ? { run_id: turn_id as RunId } : { turn_id: turn_id as TurnId }
  const more = { role: 'agent', ...(agent_id && { agent_id }), ...work, pending_id: pending.id } as const
  switch (pending.kind) {
    case 'question':
    case 'guidance':
      return [said(state, { ...more, message_type: 'Question', text: pending.question })]
    case 'override':
    case 'run_approval':
      return []
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
    { complete: outcome === 'complete', mode: state.open_turn.settings.mode, id: turn_id },
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
  { complete, mode, id }: { complete: boolean; mode: ChatMode; id: string },
): SessionEvent[] {
  const plan = complete && mode === 'Plan' ? parsePlan(answer.text) : undefined
  if (!plan)
    return [
      said(state, { ...answer, ...(complete && parseQuestion(answer.text) && { message_type: 'Question' }) }),
    ]
  const open = state.plan?.status === 'proposed' ? state.plan : undefined
  const plan_id = open?.plan_id ?? `plan_${id.slice(-8)}`
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
