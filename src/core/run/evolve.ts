import type { RunEvent } from '../../schema/run-event.ts'
import { addUsage } from '../../schema/usage.ts'
import { extendBallot } from './ballot.ts'
import { isApplying } from './applying.ts'
import type { AgentTurn, RunState, TeamAgent, TeamQuestion } from './state.ts'

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

export function evolve(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'run.started':
      return start(state, event)
    case 'agent.started':
      return startTurn(state, event)
    case 'agent.finished':
      return finishTurn(state, event)
    case 'answer.submitted':
      return submit(state, event)
    case 'answer.rejected':
      return judge(state, event.agent_id, { call_id: event.call_id, accepted: false, reason: event.reason })
    case 'evidence.recorded':
      return { ...state, agents: state.agents.map((agent) => withEvidence(agent, event)) }
    case 'voting.opened':
      return { ...state, voting_open: true }
    case 'update.injected':
      return changeTurn(state, event.agent_id, (turn) => ({
        ...turn,
        news: turn.news.filter((label) => !event.labels.includes(label)),
        ...(event.delivered && { ballot: extendBallot(turn.ballot, event.labels) }),
      }))
    case 'vote.cast': {
      const { voter, label, reason } = event
      const judged = judge(state, voter, { call_id: event.call_id, accepted: true, reason: '' })
      return change(judged, voter, (agent) => ({ ...agent, vote: { for: event.for, label, reason } }))
    }
    case 'vote.rejected':
      return judge(state, event.voter, { call_id: event.call_id, accepted: false, reason: event.reason })
    case 'question.asked':
      return change(state, event.agent_id, (agent) => ({
        ...agent,
        questions: ask(agent.questions ?? [], event),
      }))
    case 'question.answered':
      return change(state, event.agent_id, (agent) => ({
        ...agent,
        questions: agent.questions?.map((asked) =>
          asked.call_id === event.call_id ? { ...asked, answered: true } : asked,
        ),
      }))
    case 'agent.warned':
      return changeTurn(state, event.agent_id, (turn) => ({ ...turn, warned: true }))
    case 'agent.out':
      return change(state, event.agent_id, (agent) => ({
        ...agent,
        out: event.reason,
        turn: agent.turn && cancel(agent.turn),
      }))
    case 'voting.completed': {
      const { type: _, ...decision } = event
      const presenter = { agent: event.winner, label: event.label }
      return cancelTurns({ ...state, stage: 'deciding', decision, presenter })
    }
    case 'pending.opened':
      return {
        ...state,
        pendings: [...state.pendings, event.pending],
        pendings_opened: state.pendings_opened + 1,
      }
    case 'pending.answered': {
      const { pending_id, answer } = event
      const agreed = answer.kind === 'tool_approval' && answer.decision !== 'deny'
      return {
        ...state,
        pendings: state.pendings.filter(({ id }) => id !== pending_id),
        apply_agreed: state.apply_agreed || agreed,
        settled: state.settled || answer.kind === 'override',
      }
    }
    case 'winner.overridden':
      return { ...state, overridden: true, presenter: { agent: event.agent_id, label: event.label } }
    case 'writes.enabled':
      return {
        ...state,
        baseline: event.baseline,
        stage: state.stage === 'opening' ? 'coordinating' : state.stage,
      }
    case 'answer.applied': {
      const { type: _, ...applied } = event
      return { ...state, applied, applying: undefined }
    }
    case 'presentation.started':
      return {
        ...state,
        stage: 'presenting',
        presented: { at_ms: event.at_ms, makes_call: event.makes_call },
      }
    case 'writes.recorded':
      return { ...state, writes: { files: event.files, footer: event.footer } }
    case 'deadline.reached':
      return { ...state, late: [...state.late, event.deadline] }
    case 'run.ending': {
      const { type: _, ...ending } = event
      const applying = isApplying(state) && { applying: true as const }
      return cancelTurns({ ...state, ...applying, stage: 'recording', ending, pendings: [] })
    }
    case 'run.finished': {
      const { type: _, ...finished } = event
      return { ...state, stage: 'finished', finished, pendings: [] }
    }
    case 'log.stored':
      return { ...state, log_directory: event.directory }
  }
}

function start(state: RunState, event: EventOf<'run.started'>): RunState {
  const { run_id, chat_id, folder, prompt, pictures, settings, at_ms } = event
  const opens = settings.coordination.write_during_coordination
  return {
    ...state,
    ...{ run_id, chat_id, folder, prompt, settings },
    ...(pictures && { pictures }),
    started_ms: at_ms,
    stage: opens ? 'opening' : 'coordinating',
    agents: settings.agents.map((agent, index) => ({
      ...agent,
      number: index + 1,
      answers: [],
      vote: null,
      turn: null,
      reminders: 0,
      out: null,
      history: [],
      usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0, model_calls: 0 },
      worked_ms: 0,
      phases: { states: [], iterations: 0 },
    })),
  }
}

function startTurn(state: RunState, event: EventOf<'agent.started'>): RunState {
  const { turn_id, purpose, ballot, may_answer, may_vote, reminder, max_tokens, max_usd, at_ms } = event
  const turn: AgentTurn = {
    ...{ turn_id, purpose, ballot, may_answer, may_vote, reminder },
    ...(max_tokens !== undefined && { max_tokens }),
    ...(max_usd !== undefined && { max_usd }),
    news: [],
    started_ms: at_ms,
    warned: false,
    acted: false,
    cancelled: false,
    verdicts: [],
  }
  const polls = purpose === 'vote' ? Math.max(state.polls, event.round) : state.polls
  const started = { ...state, polls, round: event.round, turns_started: state.turns_started + 1 }
  return change(started, event.agent_id, (agent) => ({ ...agent, turn, reminders: reminder }))
}

function finishTurn(state: RunState, event: EventOf<'agent.finished'>): RunState {
  const { agent_id, turn_id, outcome, usage, worked_ms, phases } = event
  const ended = change(state, agent_id, (agent) => ({
    ...agent,
    turn: agent.turn?.turn_id === turn_id ? null : agent.turn,
    history: [...agent.history, turn_id],
    outcome,
    usage: addUsage(agent.usage, usage),
    worked_ms: agent.worked_ms + worked_ms,
    phases: {
      states: [...agent.phases.states, ...phases.states],
      iterations: agent.phases.iterations + phases.iterations,
    },
  }))
  return { ...ended, usage: addUsage(state.usage, usage) }
}

/** An answer reopens the vote: whoever voted did not know of it. After the last one nobody needs to work at another. */
function submit(state: RunState, event: EventOf<'answer.submitted'>): RunState {
  const { agent_id, label, text, snapshot, at_ms, call_id } = event
  const hasWork = state.settings.evidence.length > 0 && snapshot.path !== null
  const answer = { label, text, snapshot, at_ms, evidence: hasWork ? null : [] }
  const judged = judge(state, agent_id, { call_id, accepted: true, reason: '' })
  const version = state.version + 1
  const last = version >= (state.settings.coordination.max_new_answers_global ?? Infinity)
  const follow = (turn: AgentTurn): AgentTurn =>
    last && turn.purpose === 'answer' ? cancel(turn) : { ...turn, news: [...turn.news, label] }
  return {
    ...judged,
    version,
    agents: judged.agents.map((agent) => {
      if (agent.id === agent_id) return { ...agent, vote: null, answers: [...agent.answers, answer] }
      return {
        ...agent,
        vote: null,
        turn: agent.turn && follow(agent.turn),
      }
    }),
  }
}

/** One call may ask several peers. */
function ask(
  questions: readonly TeamQuestion[],
  { call_id, question, peer, turn_id }: EventOf<'question.asked'>,
): TeamQuestion[] {
  const known = questions.find((asked) => asked.call_id === call_id)
  const peers = [...(known?.peers ?? []), { agent_id: peer, turn_id }]
  return [
    ...questions.filter((asked) => asked !== known),
    { call_id, question, peers, answered: known?.answered ?? false },
  ]
}

function withEvidence(agent: TeamAgent, { label, results }: EventOf<'evidence.recorded'>): TeamAgent {
  if (!agent.answers.some((answer) => answer.label === label)) return agent
  return {
    ...agent,
    answers: agent.answers.map((answer) =>
      answer.label === label ? { ...answer, evidence: results } : answer,
    ),
  }
}

/** A turn that answered or voted ends by itself; the others are told to. */
function cancelTurns(state: RunState): RunState {
  return {
    ...state,
    agents: state.agents.map((agent) => (agent.turn ? { ...agent, turn: cancel(agent.turn) } : agent)),
  }
}

const cancel = (turn: AgentTurn): AgentTurn => (turn.acted ? turn : { ...turn, cancelled: true })

const judge = (state: RunState, id: string, verdict: AgentTurn['verdicts'][number]): RunState =>
  changeTurn(state, id, (turn) => ({
    ...turn,
    acted: turn.acted || verdict.accepted,
    verdicts: [...turn.verdicts.slice(-20), verdict],
  }))

const changeTurn = (state: RunState, id: string, edit: (turn: AgentTurn) => AgentTurn): RunState =>
  change(state, id, (agent) => (agent.turn ? { ...agent, turn: edit(agent.turn) } : agent))

const change = (state: RunState, id: string, edit: (agent: TeamAgent) => TeamAgent): RunState => ({
  ...state,
  agents: state.agents.map((agent) => (agent.id === id ? edit(agent) : agent)),
})
