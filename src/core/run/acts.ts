import type { AgentTurn, RunState, TeamAgent } from './state.ts'
import { type Rejected, reject } from '../aggregate.ts'
import { labelOf } from './ballot.ts'
import type { RunInput } from './input.ts'
import { refuseAnswer } from './novelty.ts'
import { agentOf } from './state.ts'
import type { RunDraft } from './steps.ts'

type InputOf<T extends RunInput['type']> = Extract<RunInput, { type: T }>

/** An agent that goes on giving what cannot be taken is out. */
const MAX_REJECTED = 6

export function takeAnswer(draft: RunDraft, input: InputOf<'submit_answer'>): Rejected | undefined {
  const { agent_id, turn_id, call_id, text, snapshot, now } = input
  const acting = findActing(draft.state, input)
  if ('rejected' in acting) return acting
  const { agent, turn } = acting
  if (wasJudged(turn, call_id)) return undefined
  const reason =
    closed(draft.state, turn) ??
    (turn.may_answer ? refuseAnswer(draft.state, agent, text) : 'you cannot answer again: vote')
  if (reason) {
    draft.emit({ type: 'answer.rejected', agent_id, call_id, reason })
    dropSpammer(draft, agent_id)
    return undefined
  }
  const label = labelOf(agent.number, agent.answers.length + 1)
  draft.emit({ type: 'answer.submitted', agent_id, label, text, turn_id, call_id, snapshot, at_ms: now })
  return undefined
}

/** A vote counts for what the voter saw. Where there is something newer, the voter is told and votes again. */
export function takeVote(draft: RunDraft, input: InputOf<'vote'>): Rejected | undefined {
  const { agent_id: voter, call_id, choice, reason: why } = input
  const acting = findActing(draft.state, input)
  if ('rejected' in acting) return acting
  const { turn } = acting
  if (wasJudged(turn, call_id)) return undefined
  const line = turn.ballot.find(({ id }) => id === choice.trim().toUpperCase())
  const chosen =
    line && draft.state.agents.find(({ answers }) => answers.some(({ label }) => label === line.label))
  const reason = refuseVote(draft.state, turn, choice, chosen)
  if (reason || !line || !chosen) {
    draft.emit({
      type: 'vote.rejected',
      voter,
      for: chosen?.id ?? choice.slice(0, 100),
      reason: reason ?? '',
      call_id,
    })
    dropSpammer(draft, voter)
    return undefined
  }
  draft.emit({ type: 'vote.cast', voter, for: chosen.id, label: line.label, reason: why, call_id })
  return undefined
}

function refuseVote(
  state: RunState,
  turn: AgentTurn,
  choice: string,
  chosen: TeamAgent | undefined,
): string | undefined {
  const shut = closed(state, turn)
  if (shut) return shut
  if (!turn.may_vote) return 'there is nothing to vote on yet: answer'
  if (turn.news.length > 0) return 'there are newer answers than the ones you have seen'
  const known = turn.ballot.map(({ id }) => id).join(', ')
  return chosen
    ? undefined
    : `there is no candidate ${JSON.stringify(choice.slice(0, 100))}; choose one of ${known}`
}

/** The turn that acts, if it is under way: nobody acts for another, or from a turn that is over. */
function findActing(
  state: RunState,
  { agent_id, turn_id }: { agent_id: string; turn_id: string },
): { agent: TeamAgent; turn: AgentTurn } | Rejected {
  const agent = agentOf(state, agent_id)
  if (agent?.turn?.turn_id !== turn_id) return reject(`${turn_id} is not a turn of ${agent_id} in this run`)
  return { agent, turn: agent.turn }
}

function closed({ stage }: RunState, { cancelled, acted }: AgentTurn): string | undefined {
  if (stage !== 'coordinating' || cancelled) return 'the vote is closed'
  return acted ? 'you have answered or voted already in this round' : undefined
}

const wasJudged = ({ verdicts }: AgentTurn, id: string): boolean =>
  verdicts.some(({ call_id }) => call_id === id)

function dropSpammer(draft: RunDraft, agent_id: string): void {
  const rejected =
    agentOf(draft.state, agent_id)?.turn?.verdicts.filter(({ accepted }) => !accepted).length ?? 0
  if (rejected < MAX_REJECTED || agentOf(draft.state, agent_id)?.out !== null) return
  draft.emit({
    type: 'agent.out',
    agent_id,
    reason: `${rejected} of its answers and votes could not be taken`,
  })
}
