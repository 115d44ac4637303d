import type { TurnId } from '../../schema/ids.ts'
import { MAX_QUESTIONS } from '../turn/ask-others.ts'
import { type Rejected, reject } from '../aggregate.ts'
import type { RunInput } from './input.ts'
import { agentOf } from './state.ts'
import type { RunDraft } from './steps.ts'

/** A question goes to everybody else who still takes part. Asking again after a crash changes nothing. */
export function askPeers(
  draft: RunDraft,
  { agent_id, turn_id, call_id, question }: Extract<RunInput, { type: 'ask' }>,
): Rejected | undefined {
  const { state } = draft
  const agent = agentOf(state, agent_id)
  if (!agent || agent.turn?.turn_id !== turn_id) return reject(`${turn_id} is not under way in this run`)
  const { questions = [] } = agent
  if (questions.some((asked) => asked.call_id === call_id)) return undefined
  if (state.settings.coordination.broadcast !== 'agents' || state.stage !== 'coordinating')
    return reject('nobody can be asked now')
  if (questions.some(({ answered }) => !answered))
    return reject('one question at a time: wait for the replies to the other one')
  if (questions.length >= MAX_QUESTIONS)
    return reject(`you have asked ${MAX_QUESTIONS} questions; decide yourself and say what you assume`)
  const peers = state.agents.filter(({ id, out }) => id !== agent_id && out === null)
  if (peers.length === 0) return reject('there is nobody else to ask')
  const number = questions.length + 1
  for (const { id, number: place } of peers) {
    const asked: TurnId = `${turn_id}-q${number}-${place}`
    draft.emit({ type: 'question.asked', agent_id, call_id, question, peer: id, turn_id: asked })
  }
  return undefined
}
