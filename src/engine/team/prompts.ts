import type { RunEffect } from '../../core/run/effects.ts'
import { type RunState, type TeamAgent, candidates, findAnswer, findAuthor } from '../../core/run/state.ts'
import type { ShownAnswer } from '../../prompts/team/candidates.ts'
import {
  type VoteFacts,
  answerPrompt,
  presentPrompt,
  reminderPrompt,
  votePrompt,
} from '../../prompts/team/turn-prompts.ts'
import type { BallotLine } from '../../schema/coordination.ts'

type RunTurn = Extract<RunEffect, { type: 'run_turn' }>

/** What the agent is told at the beginning of this turn. */
export function promptFor(state: RunState, { agent, turn }: RunTurn): string {
  switch (turn.purpose) {
    case 'answer':
      return turn.reminder > 0 ? reminderPrompt(undefined, false) : answerPrompt(state.prompt)
    case 'vote': {
      const facts: VoteFacts = {
        shown: showAnswers(state, turn.ballot, agent.id),
        may_answer: turn.may_answer,
        by_text: agent.speaks === 'text',
        alone: state.agents.length === 1,
      }
      return turn.reminder > 0 ? reminderPrompt(facts, true) : votePrompt(facts)
    }
    case 'present':
      return presentFor(state)
  }
}

/** Own answers are marked: a voter recognises them anyway, and may then tell what changed since. */
export function showAnswers(state: RunState, ballot: readonly BallotLine[], agent_id: string): ShownAnswer[] {
  return ballot.flatMap(({ id, label }) => {
    const answer = findAnswer(state, label)
    const author = findAuthor(state, label)
    if (!answer || !author) return []
    return [{ id, ...factsOf(answer, author), own: author.id === agent_id }]
  })
}

function factsOf(
  { text, evidence, snapshot }: TeamAgent['answers'][number],
  { usage, worked_ms }: TeamAgent,
): Omit<ShownAnswer, 'id' | 'own'> {
  const { files, added, removed, path } = snapshot
  const seconds = worked_ms > 0 ? `${Math.max(1, Math.round(worked_ms / 1000))} s` : ''
  const money = usage.cost_usd ? `$${usage.cost_usd.toFixed(2)}` : ''
  const cost = [seconds, money].filter(Boolean).join(', ')
  return {
    text,
    evidence: evidence ?? [],
    stats: { files, added, removed },
    path,
    cost: cost && `took ${cost}`,
  }
}

/** All completed answers go to a synthesis, whatever may be written; a presentation is about the winner. */
function presentFor(state: RunState): string {
  const { presenter, applied, settings, prompt } = state
  const strategy = settings.coordination.final_answer_strategy
  const shown = candidates(state).map(({ agent, answer }) => ({
    id: answer.label,
    ...factsOf(answer, agent),
    own: agent.id === presenter?.agent,
    label: answer.label,
  }))
  const winner = shown.find(({ label }) => label === presenter?.label)
  if (!winner) throw new Error('there is nothing to present')
  return presentPrompt({
    task: prompt,
    strategy,
    winner,
    others: strategy === 'synthesize' ? shown.filter((other) => other !== winner) : [],
    applied: (applied?.files ?? []).map(({ path, change }) => `${path} (${change})`),
    conflicts: applied?.conflicts ?? [],
  })
}
