import type {
  AnswerSnapshot,
  BallotLine,
  EvidenceResult,
  RunAgent,
  TallyLine,
} from '../../schema/coordination.ts'
import type { Failure } from '../../schema/failure.ts'
import type { ChatId, RunId, TurnId } from '../../schema/ids.ts'
import type { WrittenFile } from '../../schema/observation.ts'
import type { Pending } from '../../schema/pending.ts'
import type { Picture } from '../../schema/picture.ts'
import type { AgentTurnPurpose, ApplyConflict, RunSettings } from '../../schema/run-event.ts'
import type { RunStatus } from '../../schema/run-result.ts'
import type { TurnOutcome } from '../../schema/turn-event.ts'
import { type Usage, noUsage } from '../../schema/usage.ts'

/**
 * `opening`: the writable places are looked at before the one agent may write them. `deciding`: a person may override.
 * `presenting`: from the winner to the final answer. `recording`: what was written is looked at before the run is over.
 */
export type RunStage =
  | 'idle'
  | 'opening'
  | 'coordinating'
  | 'deciding'
  | 'presenting'
  | 'recording'
  | 'finished'

export interface RunState {
  stage: RunStage
  run_id: RunId
  chat_id: ChatId
  folder: string
  prompt: string
  pictures?: readonly Picture[]
  settings: RunSettings
  started_ms: number
  agents: readonly TeamAgent[]
  /** How many answers there are: what a voter must have seen. */
  version: number
  /** From 1: answers and the vote on them. A vote that an answer reopened is a new round. */
  round: number
  /** How often the vote was opened. */
  polls: number
  voting_open: boolean
  turns_started: number
  pendings: readonly Pending[]
  pendings_opened: number
  decision?: Decision
  /** Who presents: the winner, or whom the person chose. */
  presenter?: { agent: string; label: string }
  overridden: boolean
  /** The person has decided who presents. */
  settled: boolean
  /** Stands for what the writable places looked like before anything was written. */
  baseline?: string
  /** The person agreed to what the answer deletes or changes. */
  apply_agreed: boolean
  /** The run is ending while the answer is put into the folder: that is finished first. */
  applying?: true
  applied?: {
    label: string
    files: readonly WrittenFile[]
    conflicts: readonly ApplyConflict[]
    refused?: true
  }
  presented?: { at_ms: number; makes_call: boolean }
  writes?: { files: readonly WrittenFile[]; footer: string }
  /** Which deadlines have passed. */
  late: readonly ('coordination' | 'run')[]
  /** How the run will end once what was written is known. */
  ending?: Ending
  finished?: Ending
  log_directory?: string
  usage: Usage
}

export interface Decision {
  winner: string
  label: string
  tally: readonly TallyLine[]
  margin: number
  tie: boolean
  reason: 'voted' | 'decided' | 'one_candidate' | 'no_votes' | 'skipped' | 'timeout'
}

export interface Ending {
  status: Exclude<RunStatus, 'pending'>
  final_answer: string
  failure?: Failure
}

export interface TeamAgent extends RunAgent {
  /** From 1, in the order of the config. */
  number: number
  answers: readonly Answer[]
  vote: Vote | null
  turn: AgentTurn | null
  reminders: number
  /** Why it takes no further part. */
  out: string | null
  /** What it asked its peers, oldest first. */
  questions?: readonly TeamQuestion[]
  /** Its turns that are over. */
  history: readonly TurnId[]
  /** How the last of them ended. */
  outcome?: TurnOutcome
  usage: Usage
  worked_ms: number
  phases: { states: readonly string[]; iterations: number }
}

export interface TeamQuestion {
  call_id: string
  question: string
  /** Who is asked, in which turn. */
  peers: readonly { agent_id: string; turn_id: TurnId }[]
  answered: boolean
}

export interface Answer {
  label: string
  text: string
  snapshot: AnswerSnapshot
  at_ms: number
  /** Null until the commands have been run. */
  evidence: readonly EvidenceResult[] | null
}

export interface Vote {
  for: string
  label: string
  reason: string
}

export interface AgentTurn {
  turn_id: TurnId
  purpose: AgentTurnPurpose
  ballot: readonly BallotLine[]
  /** What its peers answered since, which it is still to be told. */
  news: readonly string[]
  may_answer: boolean
  may_vote: boolean
  reminder: number
  max_tokens?: number
  max_usd?: number
  started_ms: number
  warned: boolean
  /** It answered or voted: the turn is about to end. */
  acted: boolean
  /** Its work can no longer count. */
  cancelled: boolean
  /** What came of its calls to answer or vote, newest last. */
  verdicts: readonly Verdict[]
}

export interface Verdict {
  call_id: string
  accepted: boolean
  reason: string
}

export const initialRun: RunState = {
  stage: 'idle',
  run_id: 'run_',
  chat_id: 'chat_',
  folder: '',
  prompt: '',
  settings: {
    team_mode: 'multi',
    refinement: true,
    agents: [],
    coordination: {
      max_new_answers_per_agent: null,
      max_new_answers_global: null,
      fairness_lead: null,
      answer_novelty_requirement: 'lenient',
      voting_sensitivity: 'lenient',
      skip_voting: false,
      disable_injection: false,
      defer_voting_until_all_answered: false,
      final_answer_strategy: 'winner_present',
      presentation: true,
      write_during_coordination: false,
      max_reminders: 3,
    },
    turn: { mode: 'Plan', permission: 'deny', max_iterations: 15, reflect: 'never', tools: [] },
    context_paths: [],
    evidence: [],
    override: 'continue',
    budget: {},
    timeouts: { run_ms: 1_800_000, first_round_ms: null, later_round_ms: null, grace_ms: 120_000 },
    seed: 0,
    sees_chat: true,
  },
  started_ms: 0,
  agents: [],
  version: 0,
  round: 0,
  polls: 0,
  voting_open: false,
  turns_started: 0,
  pendings: [],
  pendings_opened: 0,
  overridden: false,
  settled: false,
  apply_agreed: false,
  late: [],
  usage: noUsage,
}

export const agentOf = (state: RunState, id: string): TeamAgent | undefined =>
  state.agents.find((agent) => agent.id === id)

export const latestAnswer = ({ answers }: TeamAgent): Answer | undefined => answers.at(-1)

/** Those who can be elected, in the order of the config. An agent that is out stays electable. */
export const candidates = (state: RunState): { agent: TeamAgent; answer: Answer }[] =>
  state.agents.flatMap((agent) => {
    const answer = latestAnswer(agent)
    return answer ? [{ agent, answer }] : []
  })

/** A label says whose answer it is, and which of its answers. */
export function findAuthor({ agents }: RunState, label: string): TeamAgent | undefined {
  const [, number] = /^agent(\d+)\./.exec(label) ?? []
  return agents[Number(number) - 1]
}

export const findAnswer = (state: RunState, label: string): Answer | undefined =>
  findAuthor(state, label)?.answers.find((answer) => answer.label === label)
