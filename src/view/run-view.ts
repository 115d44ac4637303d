import { type List, append } from '../core/list.ts'
import { evolve } from '../core/run/evolve.ts'
import { type Answer, type RunStage, type RunState, type TeamAgent, initialRun } from '../core/run/state.ts'
import type { EvidenceResult, TallyLine } from '../schema/coordination.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { RunId, TurnId } from '../schema/ids.ts'
import type { RunEvent } from '../schema/run-event.ts'
import type { Phase } from '../schema/turn-event.ts'
import { type Usage, addUsage, noUsage } from '../schema/usage.ts'
import { type TimelineEntry, timelineEntry } from './run-timeline.ts'

export type AgentStateWord =
  | 'waiting'
  | 'planning'
  | 'acting'
  | 'observing'
  | 'reflecting'
  | 'answered'
  | 'voted'
  | 'out'
  | 'presenting'

/** A run as people watch it. */
export interface RunView {
  run_id: RunId
  prompt: string
  stage: RunStage
  agents: readonly RunAgentView[]
  round: number
  /** Answers so far, of all agents. */
  answers: number
  /** Votes that count now. */
  votes: number
  tally: readonly TallyLine[]
  margin: number | null
  tie: boolean
  winner: string | null
  presenter: string | null
  overridden: boolean
  /** Newest last. */
  timeline: List<TimelineEntry>
  /** ISO times: elapsed time counts from the first to the second, or to now. */
  started_at: string
  ended_at: string | null
  status: 'working' | NonNullable<RunState['finished']>['status']
  final_answer: string | null
  error: string | null
  /** Of the calls made so far; null cost when a price is unknown. */
  usage: Usage
  budget: RunState['settings']['budget']
  /** Where the run's log is kept, once it is over. */
  log_directory: string | null
  /** What core makes of the run's log. */
  state: RunState
}

export interface RunAgentView {
  agent_id: string
  /** From 1, in the order of the config. */
  number: number
  state: AgentStateWord
  /** Why it is out. */
  out: string | null
  answers: readonly AnswerView[]
  vote: { for: string; label: string; reason: string } | null
  /** Votes for it that count now. */
  votes_received: number
  usage: Usage
  /** The turn it is at, and when that began. */
  turn_id: TurnId | null
  working_since: string | null
  worked_ms: number
  /** Of its turn; `Idle` between two. */
  phase: Phase
}

export interface AnswerView {
  label: string
  text: string
  at_ms: number
  files: number
  added: number
  removed: number
  changed: Answer['snapshot']['changed']
  /** The folder with the candidate's files, when there is one. */
  path: string | null
  /** Null while the commands still run. */
  evidence: readonly EvidenceResult[] | null
}

export const initialRunView: RunView = {
  run_id: initialRun.run_id,
  prompt: '',
  stage: 'idle',
  agents: [],
  round: 0,
  answers: 0,
  votes: 0,
  tally: [],
  margin: null,
  tie: false,
  winner: null,
  presenter: null,
  overridden: false,
  timeline: null,
  started_at: '',
  ended_at: null,
  status: 'working',
  final_answer: null,
  error: null,
  usage: noUsage,
  budget: {},
  log_directory: null,
  state: initialRun,
}

export function foldRun(view: RunView, envelope: Envelope<RunEvent>): RunView {
  const { event, at } = envelope
  const entry = timelineEntry(envelope)
  return project({
    ...view,
    state: evolve(view.state, event),
    timeline: entry ? append(view.timeline, entry) : view.timeline,
    started_at: event.type === 'run.started' ? at : view.started_at,
    ended_at: event.type === 'run.finished' ? at : view.ended_at,
    agents:
      event.type === 'agent.started'
        ? edit(view.agents, event.agent_id, { working_since: at, phase: 'Idle' })
        : view.agents,
  })
}

/** An agent of the run entered a phase: its turn's log says so. */
export const withPhase = (view: RunView, agent_id: string, phase: Phase): RunView =>
  project({ ...view, agents: edit(view.agents, agent_id, { phase }) })

/** A model call of the run was paid for. */
export const withUsage = (view: RunView, agent_id: string, used: Usage): RunView => ({
  ...view,
  usage: addUsage(view.usage, used),
  agents: view.agents.map((agent) =>
    agent.agent_id === agent_id ? { ...agent, usage: addUsage(agent.usage, used) } : agent,
  ),
})

export interface CoordinationRow {
  agent: string
  state: AgentStateWord
  /** Labels, newest last. */
  answers: string[]
  /** Of the newest answer. */
  evidence: { name: string; status: EvidenceResult['status'] }[]
  diff: { files: number; added: number; removed: number } | null
  cost_usd: number | null
  votes: number
  voted_for: string | null
  is_winner: boolean
  is_presenter: boolean
}

export function coordinationTable(view: RunView): CoordinationRow[] {
  return view.agents.map((agent) => {
    const newest = agent.answers.at(-1)
    return {
      agent: agent.agent_id,
      state: agent.state,
      answers: agent.answers.map(({ label }) => label),
      evidence: (newest?.evidence ?? []).map(({ name, status }) => ({ name, status })),
      diff: newest ? { files: newest.files, added: newest.added, removed: newest.removed } : null,
      cost_usd: agent.usage.cost_usd ?? null,
      votes: agent.votes_received,
      voted_for: agent.vote?.for ?? null,
      is_winner: view.winner === agent.agent_id,
      is_presenter: view.presenter === agent.agent_id,
    }
  })
}

function project(view: RunView): RunView {
  const { state } = view
  const known = new Map(view.agents.map((agent) => [agent.agent_id, agent]))
  const votes = state.agents.flatMap(({ vote }) => (vote ? [vote.for] : []))
  const agents = state.agents.map((agent): RunAgentView => {
    const before = known.get(agent.id)
    const phase = agent.turn ? (before?.phase ?? 'Idle') : 'Idle'
    return {
      agent_id: agent.id,
      number: agent.number,
      state: stateWord(state, agent, phase),
      out: agent.out,
      answers: agent.answers.map(answerView),
      vote: agent.vote,
      votes_received: votes.filter((id) => id === agent.id).length,
      usage: before?.usage ?? noUsage,
      turn_id: agent.turn?.turn_id ?? null,
      working_since: agent.turn ? (before?.working_since ?? null) : null,
      worked_ms: agent.worked_ms,
      phase,
    }
  })
  const { decision, finished, presenter } = state
  return {
    ...view,
    run_id: state.run_id,
    prompt: state.prompt,
    stage: state.stage,
    agents,
    round: state.round,
    answers: state.agents.reduce((sum, { answers }) => sum + answers.length, 0),
    votes: votes.length,
    tally:
      decision?.tally ??
      agents.map(({ agent_id, votes_received }) => ({ agent: agent_id, votes: votes_received })),
    margin: decision?.margin ?? null,
    tie: decision?.tie ?? false,
    winner: decision?.winner ?? null,
    presenter: presenter?.agent ?? null,
    overridden: state.overridden,
    status: finished?.status ?? 'working',
    final_answer: finished?.final_answer ?? null,
    error: finished?.failure?.message ?? null,
    budget: state.settings.budget,
    log_directory: state.log_directory ?? null,
  }
}

function stateWord({ stage, presenter }: RunState, agent: TeamAgent, phase: Phase): AgentStateWord {
  if (agent.out !== null) return 'out'
  if (stage === 'presenting' && presenter?.agent === agent.id) return 'presenting'
  if (agent.turn && !agent.turn.acted && !agent.turn.cancelled) {
    switch (phase) {
      case 'Idle':
      case 'Planning':
        return 'planning'
      case 'Acting':
        return 'acting'
      case 'Observing':
        return 'observing'
      case 'Reflecting':
        return 'reflecting'
      case 'Complete':
      case 'Failed':
        break
    }
  }
  if (agent.vote) return 'voted'
  return agent.answers.length > 0 ? 'answered' : 'waiting'
}

const answerView = ({ label, text, at_ms, evidence, snapshot }: Answer): AnswerView => {
  const { files, added, removed, changed, path } = snapshot
  return { label, text, at_ms, evidence, files, added, removed, changed, path }
}

const edit = (
  agents: readonly RunAgentView[],
  id: string,
  change: Partial<RunAgentView>,
): readonly RunAgentView[] => agents.map((agent) => (agent.agent_id === id ? { ...agent, ...change } : agent))
