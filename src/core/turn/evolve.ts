import { readMode } from '../../schema/chat-config.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import type { Pending } from '../../schema/pending.ts'
import type { Reply, StepProgress, ToolCall, TurnEvent } from '../../schema/turn-event.ts'
import { type Usage, addUsage } from '../../schema/usage.ts'
import { massChange } from '../policy/authorize.ts'
import { mayChange } from '../policy/may-change.ts'
import { append, lengthOf } from '../list.ts'
import { canEnter } from './phases.ts'
import { initialSteps, resultsSoFar } from './plan-steps.ts'
import { type Entry, type OpenCall, type Subtask, type TurnState, initialTurn, traitsOf } from './state.ts'

export function evolve(state: TurnState, event: TurnEvent): TurnState {
  switch (event.type) {
    case 'turn.started':
      return {
        ...state,
        turn_id: event.turn_id,
        chat_id: event.chat_id,
        agent_id: event.agent_id,
        settings: { ...initialTurn.settings, ...event.settings, mode: readMode(event.settings.mode) },
        visited: append(state.visited, 'Idle'),
        entries: append(state.entries, promptEntry(event)),
        steps: event.parent ? [] : initialSteps(event.settings.plan),
      }
    case 'phase.entered':
      return enterPhase(state, event)
    case 'model.replied':
      return {
        ...state,
        entries: append(state.entries, replyEntry(event.reply)),
        queue: endsLast(state, event.reply.calls),
        squeezes: 0,
        external: false,
        calls: state.calls + event.reply.calls.length,
        usage: addUsage(state.usage, event.reply.usage),
        draft: event.purpose === 'plan' && event.reply.calls.length === 0 ? event.reply.text : state.draft,
      }
    case 'tool.called':
      return {
        ...state,
        queue: state.queue.filter((call) => call.id !== event.call.id),
        open: [...state.open, openCall(event)],
        children: state.children + (event.child ? 1 : 0),
        changed:
          state.changed || (!event.read_only && mayChange(event.call, traitsOf(state, event.call.name))),
      }
    case 'tool.finished':
      return finishCall(state, event)
    case 'external.authorized':
      return {
        ...state,
        external: true,
        decided: [...state.decided.slice(-20), { call_id: event.call.id, allowed: event.allowed }],
      }
    case 'external.finished': {
      const { type: _, read_only, ...settled } = event
      return {
        ...state,
        external: true,
        settled: [...state.settled, settled],
        changed: state.changed || !read_only,
      }
    }
    case 'run.launched':
      return changeCall(state, event.call_id, (open) => ({ ...open, follow_up: event.run_id }))
    case 'observation.recorded':
      return { ...state, observations: append(state.observations, event.observation) }
    case 'subtasks.planned':
      return changeCall(state, event.call_id, (open) => ({
        ...open,
        subtasks: event.subtasks.map((subtask) => ({ ...subtask, status: 'waiting' })),
      }))
    case 'subtask.started':
      return changeSubtask({ ...state, children: state.children + 1 }, event, (subtask) => ({
        ...subtask,
        status: 'running',
        turn_id: event.turn_id,
      }))
    case 'subtask.finished':
      return changeSubtask(withUsage(state, event.usage), event, (subtask) => ({
        ...subtask,
        status: event.outcome,
        summary: event.summary,
        files: event.files,
        duration_ms: event.duration_ms,
      }))
    case 'context.trimmed':
      return { ...state, trimmed_before: event.before }
    case 'compaction.requested':
      return { ...state, compacting: { before: event.before }, squeezes: state.squeezes + 1 }
    case 'context.compacted':
      return {
        ...state,
        compacting: null,
        compacted: { before: event.before, summary: event.summary },
        usage: addUsage(state.usage, event.usage),
      }
    case 'limit.extended':
      return {
        ...state,
        settings: { ...state.settings, max_iterations: state.settings.max_iterations + event.iterations },
      }
    case 'guardrail.tripped':
      return {
        ...state,
        guardrails_tripped: state.guardrails_tripped + 1,
        guarded_from: lengthOf(state.observations),
      }
    case 'reflection.requested':
      return {
        ...state,
        reflecting: event.cause,
        entries: append(state.entries, { kind: 'reflect', cause: event.cause, detail: event.detail }),
      }
    case 'reflection.recorded':
      if (event.by === 'rule') return state
      return {
        ...state,
        reflecting: null,
        changed: false,
        reworks: state.reworks + (event.verdict === 'continue' ? 1 : 0),
      }
    case 'guidance.given':
      return { ...state, guidance: [...state.guidance, event.text] }
    case 'update.received':
      return {
        ...state,
        updates: [...state.updates, event.text],
        updates_received: [...state.updates_received, event.id],
      }
    case 'pending.opened':
      return {
        ...state,
        external: state.external || isExternal(event.pending),
        pendings: [...state.pendings, event.pending],
        pendings_opened: state.pendings_opened + 1,
      }
    case 'pending.answered':
      return answerPending(state, event)
    case 'plan.step_changed':
      return {
        ...state,
        steps: state.steps.map((step) => (step.step_number === event.step_number ? stepOf(event) : step)),
        step_began: event.status === 'running' ? resultsSoFar(state) : state.step_began,
      }
    case 'permission.granted':
      return {
        ...state,
        settings: { ...state.settings, grants: [...(state.settings.grants ?? []), ...event.grants] },
        granted: [...state.granted, ...event.grants],
      }
    case 'turn.finished':
      return {
        ...state,
        outcome: event.outcome,
        answer: event.answer,
        failure: event.failure,
        pendings: [],
        reflecting: null,
        compacting: null,
      }
  }
}

/** The plan bounds what a sub-agent may do, but its task is its own prompt. */
const promptEntry = ({ prompt, pictures, settings: { plan }, parent }: EventOf<'turn.started'>): Entry => ({
  kind: 'prompt',
  text: prompt,
  ...(pictures && { pictures }),
  ...(plan && !parent && { plan }),
})

const stepOf = ({ step_number, status, note }: EventOf<'plan.step_changed'>): StepProgress => ({
  step_number,
  status,
  ...(note && { note }),
})

/** A call that ends the turn comes after all others of its reply. */
function endsLast(state: TurnState, calls: readonly ToolCall[]): readonly ToolCall[] {
  const ends = (call: ToolCall) => traitsOf(state, call.name).ends_turn === true
  return calls.some(ends) ? [...calls.filter((call) => !ends(call)), ...calls.filter(ends)] : calls
}

const replyEntry = ({ text, calls, metadata }: Reply): Entry => ({
  kind: 'reply',
  text,
  calls,
  ...(metadata !== undefined && { metadata }),
})

const withUsage = (state: TurnState, usage: Usage | undefined): TurnState =>
  usage ? { ...state, usage: addUsage(state.usage, usage) } : state

const isExternal = (pending: Pending): boolean =>
  pending.kind === 'tool_approval' && pending.external === true

const openCall = ({ call, read_only, confined, child, background }: EventOf<'tool.called'>): OpenCall => ({
  call,
  read_only,
  ...(confined && { confined }),
  ...(child && { child }),
  ...(background && { background }),
})

type EventOf<T extends TurnEvent['type']> = Extract<TurnEvent, { type: T }>

/** The answer to a question becomes part of the conversation; other answers show in what follows from them. */
function answerPending(state: TurnState, { pending_id, answer }: EventOf<'pending.answered'>): TurnState {
  const answered = state.pendings.find(({ id }) => id === pending_id)
  const pendings = state.pendings.filter(({ id }) => id !== pending_id)
  if (answered?.kind === 'tool_approval' && answered.reason === massChange(state.files.length)) {
    const agreed = answer.kind === 'tool_approval' && answer.decision !== 'deny'
    return { ...state, pendings, files_agreed: agreed ? state.files.length : state.files_agreed }
  }
  if (answered?.kind !== 'question' || answer.kind !== 'question' || answered.call)
    return { ...state, pendings }
  const label = answered.options.find(({ value }) => value === answer.value)?.label
  const said = [label && `${label} (${answer.value})`, answer.text].filter(Boolean).join('. ') || answer.value
  return {
    ...state,
    pendings,
    entries: append(state.entries, { kind: 'answer', question: answered.question, answer: said }),
  }
}

function enterPhase(state: TurnState, event: EventOf<'phase.entered'>): TurnState {
  if (!canEnter(state.phase, event.phase)) {
    throw new Error(`a turn cannot go from ${state.phase} to ${event.phase}`)
  }
  const taken = event.guidance ?? []
  // A reply that went on working is carried out first: its calls were made without the news.
  const hears = event.phase === 'Planning' && state.queue.length === 0
  const news = hears ? state.updates : []
  const told: Entry[] = [
    ...news.map((text): Entry => ({ kind: 'update', text })),
    ...taken.map((text): Entry => ({ kind: 'guidance', text })),
  ]
  return {
    ...state,
    phase: event.phase,
    iteration: event.iteration,
    visited: append(state.visited, event.phase),
    guidance: state.guidance.slice(taken.length),
    updates: hears ? [] : state.updates,
    entries: told.reduce(append<Entry>, state.entries),
    settled: event.phase === 'Reflecting' ? [] : state.settled,
    external: event.phase === 'Acting' && state.external,
  }
}

function finishCall(state: TurnState, event: EventOf<'tool.finished'>): TurnState {
  const call =
    state.open.find((open) => open.call.id === event.call_id)?.call ??
    state.queue.find((queued) => queued.id === event.call_id)
  if (!call) throw new Error(`a result came for the call ${event.call_id}, which is not open`)
  const { success, output, duration_ms, files } = event
  return {
    ...state,
    open: state.open.filter((open) => open.call.id !== event.call_id),
    queue: state.queue.filter((queued) => queued.id !== event.call_id),
    settled: [...state.settled, { call, success, output, duration_ms, files }],
    entries: append(state.entries, { kind: 'result', call_id: call.id, tool: call.name, output, success }),
    files: files ? mergeFiles(state.files, files) : state.files,
    usage: event.usage ? addUsage(state.usage, event.usage) : state.usage,
  }
}

/** A file keeps its first change ("new" stays new when edited again), except that deleting it has the last word. */
export function mergeFiles(known: readonly WrittenFile[], written: readonly WrittenFile[]): WrittenFile[] {
  const byPath = new Map(known.map((file) => [file.path, file.change]))
  for (const { path, change } of written) {
    const before = byPath.get(path)
    if (before === 'new' && change === 'deleted') byPath.delete(path)
    else if (before === 'deleted' && change !== 'deleted') byPath.set(path, 'modified')
    else if (before !== 'new') byPath.set(path, change)
  }
  return [...byPath].map(([path, change]) => ({ path, change }))
}

function changeCall(state: TurnState, callId: string, change: (open: OpenCall) => OpenCall): TurnState {
  return { ...state, open: state.open.map((open) => (open.call.id === callId ? change(open) : open)) }
}

function changeSubtask(
  state: TurnState,
  { call_id, subtask_id }: { call_id: string; subtask_id: string },
  change: (subtask: Subtask) => Subtask,
): TurnState {
  return changeCall(state, call_id, (open) => ({
    ...open,
    subtasks: open.subtasks?.map((subtask) => (subtask.id === subtask_id ? change(subtask) : subtask)),
  }))
}
