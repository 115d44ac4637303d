import type { Aggregate } from '../../src/core/aggregate.ts'
import type { RunEffect } from '../../src/core/run/effects.ts'
import type { RunInput } from '../../src/core/run/input.ts'
import { run } from '../../src/core/run/run.ts'
import type { RunState, TeamAgent } from '../../src/core/run/state.ts'
import type { RunEvent } from '../../src/schema/run-event.ts'
import type { TurnId } from '../../src/schema/ids.ts'
import { noUsage } from '../../src/schema/usage.ts'
import type { invariants } from './check.ts'
import { currentLife } from './world.ts'

type Run = Aggregate<RunState, RunInput, RunEvent, RunEffect>

/** A mistake that could have been made, and what must notice it. */
export interface Plant {
  name: string
  noticed_by: keyof typeof invariants & string
  /** What the core is like with it. Made anew for each seed. */
  tamper: (real: Readonly<Run>) => Partial<Run>
}

/** The core with a mistake in it while `work` is done. Production knows nothing of this. */
export async function withPlant<T>({ tamper }: Plant, work: () => Promise<T>): Promise<T> {
  const real = { ...run }
  Object.assign(run, tamper(real))
  try {
    return await work()
  } finally {
    Object.assign(run, real)
  }
}

/** Decides as if the state were another. */
const seeing =
  (change: (state: RunState, input: RunInput) => RunState) =>
  ({ decide }: Readonly<Run>): Partial<Run> => ({
    decide: (state, input) => decide(change(state, input), input),
  })

/** Stores other events than were decided on. */
const storing =
  (change: (events: RunEvent[], state: RunState, input: RunInput) => RunEvent[]) =>
  ({ decide }: Readonly<Run>): Partial<Run> => ({
    decide(state, input) {
      const events = decide(state, input)
      return Array.isArray(events) ? change(events, state, input) : events
    },
  })

const everybody = (state: RunState, change: (agent: TeamAgent) => TeamAgent): RunState => ({
  ...state,
  agents: state.agents.map(change),
})

const coordinated = (state: RunState, change: Partial<RunState['settings']['coordination']>): RunState => ({
  ...state,
  settings: { ...state.settings, coordination: { ...state.settings.coordination, ...change } },
})

const isBy = (agent: TeamAgent, input: RunInput): boolean =>
  'agent_id' in input && input.agent_id === agent.id

export const plants: Plant[] = [
  {
    name: 'an answer that was given before is taken',
    noticed_by: 'answersAreNew',
    tamper: seeing((state, input) =>
      input.type !== 'submit_answer'
        ? state
        : everybody(state, (agent) => ({
            ...agent,
            answers: agent.answers.map((answer) => ({ ...answer, text: answer.label })),
          })),
    ),
  },
  {
    name: 'a vote by somebody who has not seen the newest answers is counted',
    noticed_by: 'votesAreFresh',
    tamper: seeing((state, input) =>
      input.type !== 'vote'
        ? state
        : everybody(state, (agent) => ({ ...agent, turn: agent.turn && { ...agent.turn, news: [] } })),
    ),
  },
  {
    name: 'a vote after the decision is counted',
    noticed_by: 'votersMayVote',
    tamper: storing((events, { stage, agents }) =>
      events.map((event) => {
        const to = agents.find(({ answers }) => answers.length > 0)
        const label = to?.answers.at(-1)?.label
        if (event.type !== 'vote.rejected' || stage === 'coordinating' || !to || !label) return event
        return {
          type: 'vote.cast',
          voter: event.voter,
          for: to.id,
          label,
          reason: '',
          call_id: event.call_id,
        }
      }),
    ),
  },
  {
    name: 'a vote for a candidate that does not exist goes to the first',
    noticed_by: 'votesAreMeant',
    tamper: ({ decide }) => ({
      decide(state, input) {
        if (input.type !== 'vote') return decide(state, input)
        const reason = input.reason.includes('[[]]') ? 'it says [[nothing]]' : input.reason
        const known = state.agents.some(({ turn }) => turn?.ballot.some(({ id }) => id === input.choice))
        return decide(state, { ...input, reason, choice: known ? input.choice : 'A' })
      },
    }),
  },
  {
    name: 'a vote that was repeated after a crash counts twice',
    noticed_by: 'votersMayVote',
    tamper: seeing((state, input) =>
      input.type !== 'vote'
        ? state
        : everybody(state, (agent) =>
            isBy(agent, input)
              ? { ...agent, turn: agent.turn && { ...agent.turn, verdicts: [], acted: false } }
              : agent,
          ),
    ),
  },
  {
    name: 'two present',
    noticed_by: 'onePresents',
    tamper: storing((events, { agents, run_id }) => {
      const first = events.find((event) => event.type === 'agent.started' && event.purpose === 'present')
      const other = agents.find(
        ({ id, turn, out }) => first?.type === 'agent.started' && id !== first.agent_id && !turn && !out,
      )
      if (first?.type !== 'agent.started' || !other) return events
      const turn_id: TurnId = `turn_${run_id.slice(4)}-second`
      return [...events, { ...first, agent_id: other.id, turn_id }]
    }),
  },
  {
    name: 'the work of the first that answers is put into the folder at once',
    noticed_by: 'writesOnlyInPresentation',
    tamper: ({ effects }) => ({
      effects(state) {
        const first = state.agents
          .flatMap(({ answers }) => answers)
          .find(({ snapshot }) => snapshot.files > 0)
        if (state.stage !== 'coordinating' || !first || state.applied) return effects(state)
        return [...effects(state), { key: 'early', type: 'apply', label: first.label }]
      },
    }),
  },
  {
    name: 'an override is acknowledged and forgotten',
    noticed_by: 'overrideIsHonoured',
    tamper: ({ decide }) => ({
      decide: (state, input) =>
        decide(
          state,
          input.type === 'answer_pending' && input.answer.kind === 'override'
            ? { ...input, answer: { kind: 'override', decision: 'continue' } }
            : input,
        ),
    }),
  },
  {
    name: 'turns that a dead process began are not gone on with',
    noticed_by: 'ends',
    tamper: ({ effects }) => {
      const begun = new Map<string, number>()
      return {
        effects: (state) =>
          effects(state).filter(({ key, type }) => {
            if (type !== 'run_turn') return true
            if (!begun.has(key)) begun.set(key, currentLife)
            return begun.get(key) === currentLife
          }),
      }
    },
  },
  {
    name: 'a tie goes to whoever was voted for last',
    noticed_by: 'winnerFollowsFromVotes',
    tamper: ({ decide }) => {
      let last = ''
      return {
        decide(state, input) {
          const events = decide(state, input)
          if (!Array.isArray(events)) return events
          return events.map((event) => {
            if (event.type === 'vote.cast') last = event.for
            if (event.type !== 'voting.completed' || !event.tie) return event
            const label = state.agents.find(({ id }) => id === last)?.answers.at(-1)?.label
            return label ? { ...event, winner: last, label } : event
          })
        },
      }
    },
  },
  {
    name: 'reminders never end',
    noticed_by: 'remindersEnd',
    tamper: seeing((state) => coordinated(state, { max_reminders: 9 })),
  },
  {
    name: 'an agent is told of its peers before its own first answer',
    noticed_by: 'newsComesAfterOwnAnswer',
    tamper: ({ effects }) => ({
      effects: (state) => [
        ...effects(state),
        ...state.agents.flatMap(({ id, answers, turn }): RunEffect[] =>
          turn && turn.news.length > 0 && answers.length === 0 && state.stage === 'coordinating'
            ? [
                {
                  key: `early:${turn.turn_id}:${turn.news.join()}`,
                  type: 'tell',
                  agent_id: id,
                  turn,
                  labels: turn.news,
                },
              ]
            : [],
        ),
      ],
    }),
  },
  {
    name: 'agents can vote where voting is skipped',
    noticed_by: 'promptsGiveNothingAway',
    tamper: ({ decide }) => ({
      decide(state, input) {
        if (input.type !== 'start') return decide(state, input)
        const { settings } = input.started
        const tools = [...settings.turn.tools, { name: 'vote', read_only: true, ends_turn: true }]
        return decide(state, {
          ...input,
          started: { ...input.started, settings: { ...settings, turn: { ...settings.turn, tools } } },
        })
      },
    }),
  },
  {
    name: 'everybody may give one answer more',
    noticed_by: 'limitsHold',
    tamper: seeing((state) => {
      const { max_new_answers_per_agent: most } = state.settings.coordination
      return coordinated(state, { max_new_answers_per_agent: most === null ? null : most + 1 })
    }),
  },
  {
    name: 'what a cancelled turn used is not billed',
    noticed_by: 'usageAddsUp',
    tamper: storing((events) =>
      events.map((event) =>
        event.type === 'agent.finished' && event.outcome === 'cancelled'
          ? { ...event, usage: noUsage }
          : event,
      ),
    ),
  },
  {
    name: 'agents work on when the vote is decided',
    noticed_by: 'noCallsAfterDecision',
    tamper: ({ evolve }) => ({
      evolve(state, event) {
        const next = evolve(state, event)
        if (event.type !== 'voting.completed') return next
        return everybody(next, (agent) => ({
          ...agent,
          turn: agent.turn && { ...agent.turn, cancelled: false },
        }))
      },
    }),
  },
  {
    name: 'deadlines are not kept',
    noticed_by: 'endsInTime',
    tamper: ({ effects }) => ({ effects: (state) => effects(state).filter(({ type }) => type !== 'wait') }),
  },
  {
    name: 'a run ends before it has looked at what was written',
    noticed_by: 'writesAreReported',
    tamper: storing((events) =>
      events.map((event) => (event.type === 'run.ending' ? { ...event, type: 'run.finished' } : event)),
    ),
  },
  {
    name: 'ballots are in the order of the config',
    noticed_by: 'ballotsAreShuffled',
    tamper: storing((events) =>
      events.map((event) =>
        event.type === 'agent.started'
          ? { ...event, ballot: event.ballot.toSorted((a, b) => a.label.localeCompare(b.label)) }
          : event,
      ),
    ),
  },
  {
    name: 'votes begin before the evidence is there',
    noticed_by: 'evidenceComesFirst',
    tamper: seeing((state) =>
      everybody(state, (agent) => ({
        ...agent,
        answers: agent.answers.map((answer) => ({ ...answer, evidence: answer.evidence ?? [] })),
      })),
    ),
  },
  {
    name: 'an agent that is out is asked again',
    noticed_by: 'turnsAreInOrder',
    tamper: seeing((state) =>
      everybody(state, (agent) => ({ ...agent, out: agent.answers.length > 0 ? null : agent.out })),
    ),
  },
  {
    name: 'what is decided depends on what is not in the log',
    noticed_by: 'logReplays',
    tamper: ({ evolve }) => {
      let seen = 0
      return { evolve: (state, event) => ({ ...evolve(state, event), version: (seen += 1) }) }
    },
  },
]
