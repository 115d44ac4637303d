import type { RunId, TurnId } from '../../schema/ids.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import type { Pending } from '../../schema/pending.ts'
import type { Severity } from '../../schema/question.ts'
import type { SubtaskSpec, ToolCall, ToolTraits, TurnEvent } from '../../schema/turn-event.ts'
import { type Authorization, authorize, grantsFor } from '../policy/authorize.ts'
import type { LaunchSettings } from '../../schema/launch.ts'
import { launchCard } from '../launch/launch-card.ts'
import { readLaunch } from '../launch/read-launch.ts'
import { sha256 } from '../sha256.ts'
import { ASK_OTHERS, questionOf, refuseQuestion } from './ask-others.ts'
import { mergeFiles } from './evolve.ts'
import { PLAN_STEP, describeSteps, readStepReport } from './plan-steps.ts'
import { type OpenCall, type TurnState, knowsTool, traitsOf } from './state.ts'
import { type TurnDraft, enter, finishCall, nextPendingId } from './steps.ts'
import { DELEGATE, deadSubtasks, describeSubtasks, findSubtaskProblems, readySubtasks } from './subtasks.ts'

/**
 * Calls start in the order the model gave them. Reads run side by side; a write waits for everything before it, and
 * everything after it waits for the write.
 */
export function dispatch(draft: TurnDraft): void {
  if (draft.state.phase !== 'Planning' && draft.state.phase !== 'Acting') return
  for (let next = draft.state.queue[0]; next; next = draft.state.queue[0]) {
    const { open, pendings, settings, files, files_agreed } = draft.state
    if (pendings.some(holdsCall)) return
    const traits = traitsOf(draft.state, next.name)
    const authorization = authorize(next, traits, { settings, files_changed: files.length, files_agreed })
    const confined = authorization.verdict === 'allow' && authorization.confined
    const readOnly = traits.read_only || confined
    // It stands for all that was done: everything else comes first.
    if (traits.ends_turn && open.length > 0) return
    if (open.length > 0 && !(readOnly && open.every((other) => other.read_only))) return
    const problem = findProblem(draft.state, next, authorization)
    if (problem) finishCall(draft, next, problem)
    else if (traits.launches && (settings.launch?.require_approval || authorization.verdict === 'ask'))
      return askToLaunch(draft, next)
    else if (authorization.verdict === 'ask') return ask(draft, next, traits, authorization)
    else if (asksPerson(draft.state, next)) return askPerson(draft, next)
    else begin(draft, next, { readOnly, confined, traits })
  }
}

/** What waits is what the next call waits for. */
const holdsCall = (pending: Pending): boolean =>
  pending.kind === 'tool_approval' ||
  pending.kind === 'run_approval' ||
  (pending.kind === 'question' && pending.call !== undefined)

const asksPerson = ({ settings }: TurnState, { name }: ToolCall): boolean =>
  name === ASK_OTHERS && settings.team?.broadcast === 'human'

function askPerson(draft: TurnDraft, call: ToolCall): void {
  draft.emit({
    type: 'pending.opened',
    pending: { id: nextPendingId(draft.state), kind: 'question', call, ...questionOf(call) },
  })
}

/** Runs a call that a person approved: exactly the one they were shown. */
export function dispatchApproved(draft: TurnDraft, call: ToolCall, background = false): void {
  const traits = traitsOf(draft.state, call.name)
  const confined = traits.launches === true && draft.state.settings.mode !== 'Act'
  begin(draft, call, { readOnly: traits.read_only || confined, confined, traits, background })
}

/** The same rules for an agent that runs its own tools: it is told yes or no, or waits for a person. */
export function askExternal(draft: TurnDraft, call: ToolCall, readOnly: boolean): undefined {
  const traits: ToolTraits = { name: call.name, read_only: readOnly, changes: externalChange(call) }
  const { settings, files, files_agreed } = draft.state
  const authorization = authorize(call, traits, { settings, files_changed: files.length, files_agreed })
  if (authorization.verdict === 'ask') return ask(draft, call, traits, { ...authorization, external: true })
  const allowed = authorization.verdict === 'allow'
  const reason = allowed ? 'allowed by the rules' : authorization.reason
  draft.emit({ type: 'external.authorized', call, allowed, reason })
}

const externalChange = ({ access = [] }: ToolCall): 'files' | 'anything' =>
  access.length > 0 && access.every(({ kind }) => kind === 'write') ? 'files' : 'anything'

/** What an approval is bound to. */
export const hashOf = ({ name, input }: ToolCall): string => sha256(JSON.stringify([name, input]))

/** Why a call cannot run, as the model reads it. */
function findProblem(state: TurnState, call: ToolCall, authorization: Authorization): string | undefined {
  if (!knowsTool(state, call.name)) {
    return `There is no tool called ${call.name}. Known: ${state.settings.tools.map((tool) => tool.name).join(', ')}.`
  }
  if (authorization.verdict === 'deny') return `Refused: ${authorization.reason}.`
  if (endsTurn(state, call) && lastReply(state).filter((other) => endsTurn(state, other)).length > 1) {
    return 'Not taken: a reply may hold only one call that ends the turn. Choose one.'
  }
  // Arguments that could not be read at all are empty; what is wrong with others is said in the terms of a run.
  const unread = call.invalid !== undefined && Object.keys(call.input).length === 0
  if (traitsOf(state, call.name).launches && !unread) {
    const launch = readLaunch(call.input, state.settings.launch ?? noTeam)
    if ('refused' in launch) return `The run was not launched: ${launch.refused}.`
  }
  if (call.invalid) return `The arguments of ${call.name} cannot be used: ${call.invalid}`
  if (asksPerson(state, call)) return refuseQuestion(state)
  if (call.name !== DELEGATE) return undefined
  const problems = findSubtaskProblems(subtasksOf(call))
  return problems.length > 0 ? `The sub-tasks cannot be carried out: ${problems.join('; ')}.` : undefined
}

const endsTurn = (state: TurnState, { name }: ToolCall): boolean => traitsOf(state, name).ends_turn === true

function lastReply({ entries }: TurnState): readonly ToolCall[] {
  for (let node = entries; node !== null; node = node.before)
    if (node.last.kind === 'reply') return node.last.calls
  return []
}

const noTeam: LaunchSettings = { require_approval: true, agents: [], max_new_answers_per_agent: null }

/** The person sees what would run, who would do it and what it may cost. */
function askToLaunch(draft: TurnDraft, call: ToolCall): void {
  const settings = draft.state.settings.launch ?? noTeam
  const launch = readLaunch(call.input, settings)
  if ('refused' in launch) return
  const card = launchCard(launch, settings)
  draft.emit({
    type: 'pending.opened',
    pending: { id: nextPendingId(draft.state), kind: 'run_approval', call, hash: hashOf(call), launch: card },
  })
}

function ask(draft: TurnDraft, call: ToolCall, traits: ToolTraits, why: Why): undefined {
  const { reason, severity, external } = why
  draft.emit({
    type: 'pending.opened',
    pending: {
      id: nextPendingId(draft.state),
      kind: 'tool_approval',
      call,
      hash: hashOf(call),
      reason,
      severity,
      always: grantsFor(call, traits),
      ...(external && { external }),
    },
  })
}

interface Why {
  reason: string
  severity: Severity
  external?: boolean
}

interface Manner {
  readOnly: boolean
  confined: boolean
  traits: ToolTraits
  background?: boolean
}

function begin(draft: TurnDraft, call: ToolCall, { readOnly, confined, traits, background }: Manner): void {
  if (!readOnly && draft.state.phase === 'Planning') enter(draft, 'Acting')
  const called = { type: 'tool.called', call, read_only: readOnly, ...(confined && { confined }) } as const
  if (call.name === PLAN_STEP) return reportStep(draft, called)
  if (call.name !== DELEGATE) {
    if (traits.launches)
      draft.emit({ ...called, child: nextRun(draft.state), ...(background && { background }) })
    else draft.emit(traits.nested ? { ...called, child: nextChild(draft.state) } : called)
    return
  }
  draft.emit(called, { type: 'subtasks.planned', call_id: call.id, subtasks: subtasksOf(call) })
  const open = draft.state.open.at(-1)
  if (open) advanceSubtasks(draft, open)
}

/** Answered on the spot: the log is where steps are kept. */
function reportStep(draft: TurnDraft, called: Extract<TurnEvent, { type: 'tool.called' }>): void {
  const report = readStepReport(draft.state, called.call)
  const refused = 'refused' in report
  draft.emit(called)
  if (!refused) draft.emit({ type: 'plan.step_changed', ...report })
  const output = refused ? `Not recorded: ${report.refused}.` : describeSteps(draft.state.steps)
  draft.emit({ type: 'tool.finished', call_id: called.call.id, success: !refused, output, duration_ms: 0 })
}

const nextChild = (state: TurnState): TurnId => `${state.turn_id}-${state.children + 1}`

const nextRun = (state: TurnState): RunId =>
  `run_${state.turn_id.slice('turn_'.length)}-${state.children + 1}`

function subtasksOf(delegate: ToolCall): SubtaskSpec[] {
  const given = (delegate.input['subtasks'] ?? []) as Partial<SubtaskSpec>[]
  return given.map(({ id, task, depends_on }) => ({
    id: String(id),
    task: String(task),
    depends_on: depends_on ?? [],
  }))
}

/** Starts what is ready, skips what can no longer start, and closes the call when nothing is left. */
export function advanceSubtasks(draft: TurnDraft, { call: { id: call_id } }: OpenCall): void {
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
