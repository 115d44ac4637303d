import type { ChatPlan } from '../../core/session/state.ts'
import type { RunId, TurnId } from '../../schema/ids.ts'
import type { Pending } from '../../schema/pending.ts'
import type { Usage } from '../../schema/usage.ts'
import type { ModeState, ModeToggle } from '../../view/mode-bar.ts'
import type { RunView } from '../../view/run-view.ts'
import type { ToolCallItem, TranscriptItem } from '../../view/transcript-item.ts'
import type { Transcript } from '../../view/transcript.ts'

/** Everything the screen draws that is not its own state: a picture of the chat at one moment. */
export interface Scene {
  /** Nothing is known yet: the first frame. */
  starting: boolean
  title: string
  folder: string
  branch?: string
  transcript: Transcript
  /** What is being written, below the transcript. */
  live: readonly TranscriptItem[]
  agents: readonly SceneAgent[]
  mode: ModeState
  /** The agent of a team whose own work is shown. */
  watching?: string
  toggles: readonly ModeToggle[]
  /** Who works on the message now, when it is one agent, and at what. */
  busy?: { id: string; state: string }
  /** Agents are at work, which locks the toggles. */
  working: boolean
  /** Since when, in milliseconds since the epoch. */
  since?: number
  now: number
  pendings: readonly ScenePending[]
  plan?: ChatPlan
  executing?: { directory: string; step: number; steps: number }
  /** The team's work, while it goes on and after. */
  run?: RunView
  /** Another run than that one: what the Team tab shows. */
  team_run?: RunView
  /** The sub-agent whose own work is shown, by the names on the way to it. */
  inside?: readonly string[]
  /** What a running call has printed so far; empty when nothing. */
  outputOf: (item: ToolCallItem) => string
  /** The run that a call launched. */
  runOf: (item: ToolCallItem) => RunView | undefined
  usage: Usage
  /** What the last request took, in tokens. */
  context_tokens?: number
}

export interface SceneAgent {
  id: string
  model: string
  /** Tokens, where known. */
  context_window?: number
  /** One word for what it does. */
  state: string
  /** The last call it made, while a team works. */
  doing?: string
}

export interface ScenePending {
  stream: TurnId | RunId
  agent_id: string
  pending: Pending
}
