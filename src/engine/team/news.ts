import type { RunEffect } from '../../core/run/effects.ts'
import type { RunInput } from '../../core/run/input.ts'
import { extendBallot } from '../../core/run/ballot.ts'
import { updatePrompt } from '../../prompts/team/turn-prompts.ts'
import { aborted } from '../actor.ts'
import type { News } from '../turns.ts'
import type { RunDesk } from './desk.ts'
import { showAnswers } from './prompts.ts'

type Tell = Pick<Extract<RunEffect, { type: 'tell' }>, 'agent_id' | 'turn' | 'labels'>

/**
 * Tells an agent at its next tool boundary what its peers answered, and says when it has heard it. What it does not hear
 * before its turn ends stays news: a vote without it does not count.
 */
export async function tellNews(desk: RunDesk, tell: Tell, signal: AbortSignal): Promise<RunInput> {
  const { turns } = desk
  const { agent_id, turn, labels } = tell
  const { turn_id } = turn
  if (!(await turns.tell(turn_id, newsOf(desk, tell), signal))) await aborted(signal)
  const now = turns.parts.clock.now()
  return { type: 'told', agent_id, turn_id, labels: [...labels], delivered: true, now }
}

/** The same without waiting. */
export async function sendNews(desk: RunDesk, tell: Tell): Promise<void> {
  for (const news of newsOf(desk, tell)) await desk.turns.send(tell.turn.turn_id, { type: 'inform', ...news })
}

/** One for each answer: while an agent is busy more may come, and what it was told once it is not told again. */
function newsOf({ actor }: RunDesk, { agent_id, turn, labels }: Tell): News[] {
  const ballot = extendBallot(turn.ballot, labels).filter(({ label }) => labels.includes(label))
  return ballot.map((line) => {
    // Its files can be read from the next turn on.
    const shown = showAnswers(actor.state, [line], agent_id).map((answer) => ({ ...answer, path: null }))
    return { id: line.label, text: updatePrompt(shown) }
  })
}
