import type { Coordination } from '../../schema/coordination.ts'
import { type RunState, type TeamAgent, latestAnswer } from './state.ts'

/** Longer answers are refused: they belong into files. */
const LONGEST = 200_000

/** How alike two answers may be, as a share of common words. */
const alike: Record<Coordination['answer_novelty_requirement'], number> = {
  lenient: 1,
  balanced: 0.9,
  strict: 0.75,
}

/** Why this text is no new answer of this agent, if it is none. */
export function refuseAnswer(state: RunState, agent: TeamAgent, text: string): string | undefined {
  if (!text.trim()) return 'the answer is empty'
  if (text.length > LONGEST)
    return `the answer has ${text.length} characters; at most ${LONGEST} are taken, put the rest into files`
  return limitOf(state, agent) ?? likeness(state, agent, text)
}

/** Why this agent may not answer again now. */
export function limitOf(state: RunState, agent: TeamAgent): string | undefined {
  const { max_new_answers_per_agent, max_new_answers_global, fairness_lead } = state.settings.coordination
  const own = agent.answers.length
  if (max_new_answers_per_agent !== null && own >= max_new_answers_per_agent)
    return `you have given ${own} of at most ${max_new_answers_per_agent} answers`
  if (max_new_answers_global !== null && state.version >= max_new_answers_global)
    return `the team has given ${state.version} of at most ${max_new_answers_global} answers`
  if (fairness_lead === null) return undefined
  const fewest = Math.min(
    ...state.agents.filter(({ out }) => out === null).map(({ answers }) => answers.length),
  )
  return own - fewest >= fairness_lead ? `you are ${own - fewest} answers ahead of a peer` : undefined
}

function likeness(state: RunState, agent: TeamAgent, text: string): string | undefined {
  const normal = normalise(text)
  // Who has not answered yet has seen no other answer: saying the same is agreement.
  const known = state.agents.filter(({ id }) => id === agent.id || agent.answers.length > 0)
  for (const peer of known) {
    if (!peer.answers.some((answer) => normalise(answer.text) === normal)) continue
    return peer.id === agent.id
      ? 'you have given this answer before'
      : 'this answer was given already; vote for it instead'
  }
  const limit = alike[state.settings.coordination.answer_novelty_requirement]
  const own = latestAnswer(agent)
  if (limit === 1 || !own) return undefined
  const share = commonWords(normal, normalise(own.text))
  return share > limit
    ? `it has ${Math.round(share * 100)} % of its words in common with your last answer; say something new or vote`
    : undefined
}

const normalise = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

function commonWords(a: string, b: string): number {
  const [first, second] = [new Set(a.split(' ')), new Set(b.split(' '))]
  const common = [...first].filter((word) => second.has(word)).length
  return common / (first.size + second.size - common)
}
