import { actedAlone, coordinationDeadline, patienceEnds, runDeadline } from './deadlines.ts'
import { awaitsBaseline, isApplying } from './applying.ts'
import type { Answer, AgentTurn, RunState, TeamAgent } from './state.ts'

export type RunEffect =
  | { key: string; type: 'run_turn'; agent: TeamAgent; turn: AgentTurn }
  | { key: string; type: 'gather_evidence'; agent_id: string; answer: Answer }
  | { key: string; type: 'tell'; agent_id: string; turn: AgentTurn; labels: readonly string[] }
  | { key: string; type: 'wait'; name: string; until_ms: number }
  | { key: string; type: 'take_baseline' }
  | { key: string; type: 'apply'; label: string }
  | { key: string; type: 'find_writes'; baseline: string }
  | { key: string; type: 'store_log' }

export function effects(state: RunState): RunEffect[] {
  if (state.stage === 'idle') return []
  // A turn that was cancelled is waited for: what it used is part of the bill.
  const turns = state.agents.flatMap((agent): RunEffect[] =>
    agent.turn ? [{ key: agent.turn.turn_id, type: 'run_turn', agent, turn: agent.turn }] : [],
  )
  switch (state.stage) {
    case 'opening':
      return [{ key: 'baseline', type: 'take_baseline' }, ...deadlines(state)]
    case 'coordinating':
      return [...turns, ...evidence(state), ...news(state), ...deadlines(state), ...turnTimers(state)]
    case 'deciding':
      return turns
    case 'presenting':
      return [...turns, ...toApply(state), ...deadlines(state)]
    case 'recording': {
      const { baseline, writes } = state
      if (state.applying) return [...turns, ...applied(state)]
      if (turns.length > 0 || writes || baseline === undefined) return turns
      return [{ key: 'writes', type: 'find_writes', baseline }]
    }
    case 'finished':
      return state.log_directory === undefined && turns.length === 0
        ? [{ key: 'log', type: 'store_log' }]
        : turns
  }
}

function toApply(state: RunState): RunEffect[] {
  if (awaitsBaseline(state)) return [{ key: 'baseline', type: 'take_baseline' }]
  return isApplying(state) ? applied(state) : []
}

const applied = ({ presenter }: RunState): RunEffect[] =>
  presenter ? [{ key: 'apply', type: 'apply', label: presenter.label }] : []

function evidence(state: RunState): RunEffect[] {
  return state.agents.flatMap(({ id, answers, turn }) =>
    // The commands run in the agent's workspace, so not while it works there.
    answers
      .filter((answer) => answer.evidence === null && turn === null)
      .map((answer): RunEffect => ({
        key: `evidence:${answer.label}`,
        type: 'gather_evidence',
        agent_id: id,
        answer,
      })),
  )
}

/** Peers' answers reach an agent only after its own first one. */
function news(state: RunState): RunEffect[] {
  if (state.settings.coordination.disable_injection) return []
  return state.agents.flatMap(({ id, answers, turn }): RunEffect[] => {
    if (!turn || turn.news.length === 0 || turn.acted || turn.cancelled || answers.length === 0) return []
    const labels = turn.news
    return [{ key: `tell:${turn.turn_id}:${labels.join()}`, type: 'tell', agent_id: id, turn, labels }]
  })
}

function deadlines(state: RunState): RunEffect[] {
  const due: RunEffect[] = []
  if (!state.late.includes('run')) due.push(wait('run', runDeadline(state)))
  if (state.stage !== 'coordinating') return due
  if (!state.late.includes('coordination')) due.push(wait('coordination', coordinationDeadline(state)))
  const patience = patienceEnds(state)
  if (patience !== undefined) due.push(wait('patience', patience))
  return due
}

function turnTimers(state: RunState): RunEffect[] {
  const { first_round_ms, later_round_ms, grace_ms } = state.settings.timeouts
  return state.agents.flatMap(({ turn }): RunEffect[] => {
    if (!turn || actedAlone(turn)) return []
    const limit = turn.purpose === 'answer' ? first_round_ms : later_round_ms
    if (limit === null) return []
    const ends = turn.started_ms + limit
    return turn.warned ? [wait(`out:${turn.turn_id}`, ends + grace_ms)] : [wait(`warn:${turn.turn_id}`, ends)]
  })
}

const wait = (name: string, until_ms: number): RunEffect => ({
  key: `wait:${name}:${until_ms}`,
  type: 'wait',
  name,
  until_ms,
})
