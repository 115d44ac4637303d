import type {
  AnswerSnapshot,
  BallotLine,
  Coordination,
  EvidenceCommand,
  EvidenceResult,
  FinalAnswerStrategy,
  RunAgent,
  TallyLine,
  TeamMode,
} from './coordination.ts'
import type { Failure } from './failure.ts'
import type { ChatId, RunId, TurnId } from './ids.ts'
import type { WrittenFile } from './observation.ts'
import type { Pending, PendingAnswer } from './pending.ts'
import type { Picture } from './picture.ts'
import type { ContextPath } from './reach.ts'
import type { RunStatus } from './run-result.ts'
import type { TurnOutcome, TurnSettings } from './turn-event.ts'
import type { Usage } from './usage.ts'

export interface RunSettings {
  team_mode: TeamMode
  refinement: boolean
  /** In the order of the config, which settles ties. */
  agents: RunAgent[]
  coordination: Coordination
  /** What every turn of the run starts from; its mode is the run's. */
  turn: TurnSettings
  context_paths: ContextPath[]
  evidence: EvidenceCommand[]
  /** `ask` waits for a person after the vote; an agent's id settles it beforehand. */
  override: 'ask' | 'continue' | { agent: string }
  budget: { max_tokens?: number; max_usd?: number }
  timeouts: RunTimeouts
  /** Shuffles the ballots, so that a replay shows the same ones. */
  seed: number
  /** The chat's earlier turns belong to the conversation. A run that an agent launched has only its task. */
  sees_chat: boolean
}

export interface RunTimeouts {
  run_ms: number
  first_round_ms: number | null
  later_round_ms: number | null
  /** From the warning to the end, and what is kept back for the presentation. */
  grace_ms: number
}

export type AgentTurnPurpose = 'answer' | 'vote' | 'present'

export type RunEvent =
  | {
      type: 'run.started'
      run_id: RunId
      chat_id: ChatId
      /** Where the person's files are. */
      folder: string
      /** The task, with the context given along. */
      prompt: string
      pictures?: readonly Picture[]
      settings: RunSettings
      /** Milliseconds since the epoch: deadlines count from here. */
      at_ms: number
    }
  /** Voters are told `ballot`; `reminder` counts how often it was told to answer or vote at last. */
  | {
      type: 'agent.started'
      agent_id: string
      turn_id: TurnId
      purpose: AgentTurnPurpose
      round: number
      ballot: BallotLine[]
      /** May it answer anew, may it vote? */
      may_answer: boolean
      may_vote: boolean
      reminder: number
      max_tokens?: number
      max_usd?: number
      at_ms: number
    }
  | {
      type: 'agent.finished'
      agent_id: string
      turn_id: TurnId
      outcome: TurnOutcome
      usage: Usage
      worked_ms: number
      phases: { states: string[]; iterations: number }
      failure?: Failure
    }
  /** `label` is `agentN.M`: the Mth answer of the Nth agent. */
  | {
      type: 'answer.submitted'
      agent_id: string
      label: string
      text: string
      turn_id: TurnId
      /** The call that submitted it: submitting it again after a crash changes nothing. */
      call_id: string
      snapshot: AnswerSnapshot
      at_ms: number
    }
  | { type: 'answer.rejected'; agent_id: string; call_id: string; reason: string }
  | { type: 'evidence.recorded'; label: string; results: EvidenceResult[] }
  | { type: 'voting.opened'; reason: 'all_answered' | 'patience' }
  /** An agent learned at a tool boundary what its peers answered. */
  | { type: 'update.injected'; agent_id: string; turn_id: TurnId; labels: string[]; delivered: boolean }
  | { type: 'vote.cast'; voter: string; for: string; label: string; reason: string; call_id: string }
  | { type: 'vote.rejected'; voter: string; for: string; reason: string; call_id: string }
  /** An agent asks a peer, which answers in a turn of its own. A question to several is one call. */
  | {
      type: 'question.asked'
      agent_id: string
      call_id: string
      question: string
      peer: string
      turn_id: TurnId
    }
  | { type: 'question.answered'; agent_id: string; call_id: string }
  | { type: 'agent.warned'; agent_id: string; turn_id: TurnId }
  /** It takes no further part. An answer it gave stays electable. */
  | { type: 'agent.out'; agent_id: string; reason: string }
  | {
      type: 'voting.completed'
      winner: string
      label: string
      tally: TallyLine[]
      /** Votes of the first over the second. */
      margin: number
      tie: boolean
      reason: 'voted' | 'decided' | 'one_candidate' | 'no_votes' | 'skipped' | 'timeout'
    }
  | { type: 'pending.opened'; pending: Pending }
  | { type: 'pending.answered'; pending_id: string; answer: PendingAnswer; by: string }
  | { type: 'winner.overridden'; agent_id: string; label: string; by: string }
  /** What the writable places looked like is known: from here on they may be written. */
  | { type: 'writes.enabled'; baseline: string }
  /** The presenter's work is in the person's folder, as far as nobody changed the same files. */
  | {
      type: 'answer.applied'
      label: string
      files: WrittenFile[]
      conflicts: ApplyConflict[]
      /** The person did not want it in their folder. */
      refused?: true
    }
  /** `makes_call`: the presenter works once more; otherwise its answer is the final one as it stands. */
  | {
      type: 'presentation.started'
      agent_id: string
      strategy: FinalAnswerStrategy
      makes_call: boolean
      at_ms: number
    }
  | { type: 'writes.recorded'; files: WrittenFile[]; footer: string }
  | { type: 'deadline.reached'; deadline: 'coordination' | 'run' }
  /** Decided how it ends; what was written is looked at before it does. */
  | {
      type: 'run.ending'
      status: Exclude<RunStatus, 'pending'>
      final_answer: string
      failure?: Failure
    }
  | {
      type: 'run.finished'
      status: Exclude<RunStatus, 'pending'>
      final_answer: string
      failure?: Failure
    }
  /** The folder of the run's log holds it as it ended, and nothing is left of the workspaces. */
  | { type: 'log.stored'; directory: string }

/** A file that was not written, because the person changed it meanwhile or it is protected. */
export interface ApplyConflict {
  path: string
  reason: string
  /** Where the version of the answer is kept. */
  kept_as?: string
}
