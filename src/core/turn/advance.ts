import type { TurnId } from '../../schema/ids.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import type { SubtaskSpec, ToolCall } from '../../schema/turn-event.ts'
import { itemsFrom, lengthOf } from '../list.ts'
import { type Authorization, authorize } from '../policy/authorize.ts'
import { mergeFiles } from './evolve.ts'
import { GUARDRAIL_WINDOW, checkGuardrails } from './guardrails.ts'
import { observe } from './observe.ts'
import { type OpenCall, type TurnState, knowsTool, traitsOf } from './state.ts'
import {
  type TurnDraft,
  answerOf,
  enter,
  enterNextPlanning,
  finish,
  finishCall,
  nextPendingId,
  openGuidance,
} from './steps.ts'
import { DELEGATE, deadSubtasks, describeSubtasks, findSubtaskProblems, readySubtasks } from './subtasks.ts'

/** Explicit reflections may send a finished turn back to work this often. */
const MAX_REWORKS = 2

/** Takes a turn as far as it can go without waiting for anybody. */
export function advance(draft: TurnDraft): void {
  for (const open of draft.state.open) advanceSubtasks(draft, open)
  dispatch(draft)
  const { phase, queue, open, settled } = draft.state
  if (queue.length > 0 || open.length > 0) return
  if ((phase === 'Planning' || phase === 'Acting') && settled.length > 0) {
    enter(draft, 'Observing')
    for (const call of settled) draft.emit({ type: 'observation.recorded', observation: observe(call) })
    enter(draft, 'Reflecting')
    reflectOnObservations(draft)
  } else if (phase === 'Reflecting') reflectOnAnswer(draft)
}

/**
 * Calls start in the order the model gave them. Reads run side by side; a write waits for everything before it, and
 * everything after it waits for the write.
 */
function dispatch(draft: TurnDraft): void {
  for (let next = draft.state.queue[0]; next; next = draft.state.queue[0]) {
    const { open, pendings, settings } = draft.state
    if (pendings.some((pending) => pending.kind === 'tool_approval')) return
    const traits = traitsOf(draft.state, next.name)
    if (open.length > 0 && !(traits.read_only && open.every((other) => other.read_only))) return
    const authorization = authorize(traits, settings.mode, settings.permission)
    const problem = findProblem(draft.state, next, authorization)
    if (problem) finishCall(draft, next, problem)
    else if (authorization.verdict === 'ask') {
      const { reason, severity } = authorization
      const id = nextPendingId(draft.state)
      draft.emit({
        type: 'pending.opened',
        pending: { id, kind: 'tool_approval', call: next, reason, severity },
      })
      return
    } else {
      if (!traits.read_only && draft.state.phase === 'Planning') enter(draft, 'Acting')
      call(draft, next, traits.read_only, traits.nested === true)
    }
  }
}

/** Why a call cannot run, as the model reads it. */
function findProblem(state: TurnState, call: ToolCall, authorization: Authorization): string | undefined {
  if (!knowsTool(state, call.name)) {
    return `There is no tool called ${call.name}. Known: ${state.settings.tools.map((tool) => tool.name).join(', ')}.`
  }
  if (authorization.verdict === 'deny') return `Refused: ${authorization.reason}.`
  if (call.invalid) return `The arguments of ${call.name} cannot be used: ${call.invalid}`
  if (call.name !== DELEGATE) return undefined
  const problems = findSubtaskProblems(subtasksOf(call))
  return problems.length > 0 ? `The sub-tasks cannot be carried out: ${problems.join('; ')}.` : undefined
}

function call(draft: TurnDraft, next: ToolCall, readOnly: boolean, nested: boolean): void {
  if (next.name !== DELEGATE) {
    const child = nested ? { child: nextChild(draft.state) } : {}
    draft.emit({ type: 'tool.called', call: next, read_only: readOnly, ...child })
    return
  }
  draft.emit(
    { type: 'tool.called', call: next, read_only: readOnly },
    { type: 'subtasks.planned', call_id: next.id, subtasks: subtasksOf(next) },
  )
  const open = draft.state.open.at(-1)
  if (open) advanceSubtasks(draft, open)
}

const nextChild = (state: TurnState): TurnId => `${state.turn_id}-${state.children + 1}`

function subtasksOf(delegate: ToolCall): SubtaskSpec[] {
  const given = (delegate.input['subtasks'] ?? []) as Partial<SubtaskSpec>[]
  return given.map(({ id, task, depends_on }) => ({
    id: String(id),
    task: String(task),
    depends_on: depends_on ?? [],
  }))
}

/** Starts what is ready, skips what can no longer start, and closes the call when nothing is left. */
function advanceSubtasks(draft: TurnDraft, { call: { id: call_id } }: OpenCall): void {
  const subtasks = () => draft.state.open.find((open) => open.call.id === call_id)?.subtasks
  for (let dead = deadSubtasks(subtasks() ?? []); dead.length > 0; dead = deadSubtasks(subtasks() ?? [])) {
    for (const { id } of dead) {
      const summary = 'Not started: something it depends on did not complete.'
      draft.emit({ type: 'subtask.finished', call_id, subtask_id: id, outcome: 'skipped', summary })
    }
  }
  for (const { id } of readySubtasks(subtasks() ?? [])) {
    draft.emit({ type: 'subtask.started', call_id, subtask_id: id, turn_id: nextChild(draft.state) })
  }
  const all = subtasks()
  if (!all || all.some(({ status }) => status === 'running' || status === 'waiting')) return
  const files = all.reduce<WrittenFile[]>((known, { files }) => mergeFiles(known, files ?? []), [])
  draft.emit({
    type: 'tool.finished',
    call_id,
    success: all.every(({ status }) => status === 'complete'),
    output: describeSubtasks(all),
    duration_ms: Math.max(0, ...all.map(({ duration_ms }) => duration_ms ?? 0)),
    ...(files.length > 0 && { files }),
  })
}

/** After calls: going on is the rule. An agent that goes in circles is made to think, and the second time asks a person. */
function reflectOnObservations(draft: TurnDraft): void {
  const { guidance, observations, guarded_from } = draft.state
  if (guidance.length > 0) return goOn(draft, 'the person gave guidance')
  const from = Math.max(guarded_from, lengthOf(observations) - GUARDRAIL_WINDOW)
  const tripped = checkGuardrails(itemsFrom(observations, from))
  if (!tripped) return goOn(draft, 'the calls are answered')
  draft.emit({ type: 'guardrail.tripped', ...tripped })
  if (draft.state.guardrails_tripped === 1) {
    draft.emit({ type: 'reflection.requested', cause: 'guardrail', detail: tripped.detail })
    return
  }
  draft.emit({ type: 'reflection.recorded', verdict: 'needs_person', reason: tripped.detail, by: 'rule' })
  openGuidance(draft, 'I am going in circles. What should I do differently?', tripped.detail)
}

function goOn(draft: TurnDraft, reason: string): void {
  draft.emit({ type: 'reflection.recorded', verdict: 'continue', reason, by: 'rule' })
  enterNextPlanning(draft)
}

/** After an answer: the turn is complete, unless a person spoke meanwhile or the work deserves a second look. */
function reflectOnAnswer(draft: TurnDraft): void {
  const { guidance, settings, changed, reworks, pendings, reflecting } = draft.state
  if (pendings.length > 0 || reflecting) return
  if (guidance.length > 0) return goOn(draft, 'the person gave guidance')
  const due = settings.reflect === 'always' || (settings.reflect === 'changed' && changed)
  if (due && reworks < MAX_REWORKS) {
    draft.emit({ type: 'reflection.requested', cause: 'finished', detail: '' })
    return
  }
  draft.emit({ type: 'reflection.recorded', verdict: 'complete', reason: 'the agent answered', by: 'rule' })
  finish(draft, 'complete', answerOf(draft.state))
}
