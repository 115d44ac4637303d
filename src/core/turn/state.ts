import type { Failure } from '../../schema/failure.ts'
import type { ChatId, RunId, TurnId } from '../../schema/ids.ts'
import type { Observation, WrittenFile } from '../../schema/observation.ts'
import type { Pending } from '../../schema/pending.ts'
import type { Picture } from '../../schema/picture.ts'
import type { ApprovedPlan } from '../../schema/plan.ts'
import type { Grant } from '../../schema/permission.ts'
import type {
  Phase,
  ReflectionCause,
  StepProgress,
  SubtaskSpec,
  ToolCall,
  ToolTraits,
  TurnOutcome,
  TurnSettings,
} from '../../schema/turn-event.ts'
import { type Usage, noUsage } from '../../schema/usage.ts'
import type { List } from '../list.ts'

export interface TurnState {
  phase: Phase
  turn_id: TurnId
  chat_id: ChatId
  agent_id: string
  settings: TurnSettings
  iteration: number
  /** Every state entered, in order. */
  visited: List<Phase>
  /** The turn's conversation as the model sees it. */
  entries: List<Entry>
  observations: List<Observation>
  /** Calls of the last reply that have not been dispatched yet. */
  queue: readonly ToolCall[]
  /** Dispatched calls without a result. */
  open: readonly OpenCall[]
  /** Results not yet recorded as observations. */
  settled: readonly SettledCall[]
  pendings: readonly Pending[]
  /** An agent with tools of its own is at work: its reply is still to come. */
  external: boolean
  /** What was decided about what an agent with tools of its own asked, newest last. */
  decided: readonly { call_id: string; allowed: boolean }[]
  /** How many calls were ever made, pendings opened and child turns started: they number the next one. */
  calls: number
  pendings_opened: number
  children: number
  /** Corrections that the next Planning will take up. */
  guidance: readonly string[]
  /** News of the team that the next Planning will take up, and which were ever received. */
  updates: readonly string[]
  updates_received: readonly string[]
  /** Why an explicit Reflect call is being made. */
  reflecting: ReflectionCause | null
  /** Something was changed since the last explicit reflection. */
  changed: boolean
  /** Explicit reflections that asked for more work. */
  reworks: number
  guardrails_tripped: number
  /** How the model is shown the conversation: see the events of the same names. */
  trimmed_before: number
  compacting: { before: number } | null
  compacted: { before: number; summary: string } | null
  /** Attempts to make the conversation fit since the model last replied. */
  squeezes: number
  /** Observations before this one were judged by an earlier guardrail. */
  guarded_from: number
  files: readonly WrittenFile[]
  /** How many files there were when the person agreed to a mass change. */
  files_agreed: number
  /** What the person granted in this turn for the rest of the chat. */
  granted: readonly Grant[]
  /** The steps of the plan that is carried out, and how many observations there were when the current one began. */
  steps: readonly StepProgress[]
  step_began: number
  usage: Usage
  /** The text of the last reply that called nothing. */
  draft: string
  outcome?: TurnOutcome
  answer?: string
  failure?: Failure
}

export type Entry =
  | { kind: 'prompt'; text: string; pictures?: readonly Picture[]; plan?: ApprovedPlan }
  | { kind: 'guidance'; text: string }
  | { kind: 'update'; text: string }
  | { kind: 'answer'; question: string; answer: string }
  | { kind: 'reflect'; cause: ReflectionCause; detail: string }
  | { kind: 'reply'; text: string; calls: readonly ToolCall[]; metadata?: unknown }
  | { kind: 'result'; call_id: string; tool: string; output: string; success: boolean }

export interface OpenCall {
  call: ToolCall
  read_only: boolean
  confined?: boolean
  child?: TurnId | RunId
  background?: boolean
  /** The run that carries out what the first one planned. */
  follow_up?: RunId
  subtasks?: readonly Subtask[]
}

export interface Subtask extends SubtaskSpec {
  status: 'waiting' | 'running' | TurnOutcome | 'skipped'
  turn_id?: TurnId
  summary?: string
  files?: readonly WrittenFile[]
  /** From the start of the delegating call to the end of this sub-task. */
  duration_ms?: number
}

export interface SettledCall {
  call: ToolCall
  success: boolean
  output: string
  duration_ms: number
  files?: WrittenFile[]
}

export const initialTurn: TurnState = {
  phase: 'Idle',
  turn_id: 'turn_',
  chat_id: 'chat_',
  agent_id: '',
  settings: { mode: 'Act', permission: 'ask', max_iterations: 15, reflect: 'changed', tools: [] },
  iteration: 0,
  visited: null,
  entries: null,
  observations: null,
  queue: [],
  open: [],
  settled: [],
  pendings: [],
  external: false,
  decided: [],
  calls: 0,
  pendings_opened: 0,
  children: 0,
  guidance: [],
  updates: [],
  updates_received: [],
  reflecting: null,
  changed: false,
  reworks: 0,
  guardrails_tripped: 0,
  trimmed_before: 0,
  compacting: null,
  compacted: null,
  squeezes: 0,
  guarded_from: 0,
  files: [],
  files_agreed: 0,
  granted: [],
  steps: [],
  step_began: 0,
  usage: noUsage,
  draft: '',
}

/** A tool nobody described can change anything. */
export const traitsOf = (state: TurnState, name: string): ToolTraits =>
  state.settings.tools.find((tool) => tool.name === name) ?? { name, read_only: false, changes: 'anything' }

export const knowsTool = (state: TurnState, name: string): boolean =>
  state.settings.tools.some((tool) => tool.name === name)
