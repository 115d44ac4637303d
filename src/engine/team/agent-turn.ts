import { readTextAct } from '../../core/run/text-act.ts'
import type { RunEffect } from '../../core/run/effects.ts'
import type { RunInput } from '../../core/run/input.ts'
import type { RunState } from '../../core/run/state.ts'
import { ASK_OTHERS } from '../../core/turn/ask-others.ts'
import type { Profile } from '../../prompts/profiles.ts'
import type { PermissionRule } from '../../schema/permission.ts'
import type { ToolTraits, TurnSettings } from '../../schema/turn-event.ts'
import { noUsage } from '../../schema/usage.ts'
import { teamTools } from '../../tools/registry.ts'
import { askOthers } from './ask-others.ts'
import type { RunDesk } from './desk.ts'
import { act } from './act.ts'
import { promptFor } from './prompts.ts'
import { reachFor, worksInCopy } from './reach-for.ts'

type RunTurn = Extract<RunEffect, { type: 'run_turn' }>

/** One turn of one agent in its workspace, from its prompt to its answer, its vote or its presentation. */
export async function runAgentTurn(desk: RunDesk, effect: RunTurn, signal: AbortSignal): Promise<RunInput> {
  const { order, actor, turns, team } = desk
  const { clock } = turns.parts
  const { agent, turn } = effect
  const { turn_id } = turn
  const ended = { type: 'turn_ended', agent_id: agent.id, turn_id } as const
  const began = clock.elapsed()
  const cancelled = desk.cancellation(turn_id)
  const nothing = { usage: noUsage, phases: { states: [], iterations: 0 }, worked_ms: 0 }
  const reach = await reachFor(desk, effect)
  if ('refused' in reach) {
    const failure = { kind: 'tool', message: `no workspace for ${agent.id}: ${reach.refused}` } as const
    return { ...ended, ...nothing, outcome: 'failed', answer: '', failure, now: clock.now() }
  }
  const { state } = actor
  const settings = settingsFor(state, effect, turns.parts.shell.confines)
  const stop = AbortSignal.any([signal, cancelled, ...(turn.cancelled ? [AbortSignal.abort()] : [])])
  if (stop.aborted && !(await turns.hasBegun(turn_id)))
    return { ...ended, ...nothing, outcome: 'cancelled', answer: '', now: clock.now() }
  const in_copy = worksInCopy(state) && turn.purpose !== 'present'
  const { run_id } = order
  const failure = stop.aborted
    ? undefined
    : await team.beforeTurn?.({ run_id, agent_id: agent.id, in_copy, ...reach })
  if (failure) {
    if (turn.purpose !== 'present') return { type: 'fail', failure, now: clock.now() }
    return { ...ended, ...nothing, outcome: 'failed', answer: '', failure, now: clock.now() }
  }
  const end = await turns.run(
    {
      chat: order.chat,
      turn_id,
      agent_id: agent.id,
      prompt: promptFor(state, effect),
      // Later turns go on from the one that has them.
      ...(agent.history.length === 0 && state.pictures && { pictures: state.pictures }),
      settings: { ...settings, reach: reach.reach },
      profile: profileFor(state, effect),
      ...(in_copy && { ownFiles: team.workspaces.own }),
      coordinate: (done) => act(desk, effect, done),
      ask: (question, stopped) => askOthers(desk, effect, question, stopped),
      onPending: (pending) => order.onPending(pending, { turn_id, agent_id: agent.id }),
    },
    stop,
  )
  // What it left running in its copy ends with its turn.
  if (in_copy)
    await Promise.all(turns.parts.tools.map((tool) => tool.endWork?.(order.chat.chat_id, reach.reach.root)))
  const { outcome, answer, usage, phases, failure: why } = end
  if (outcome === 'complete' && countsWords(state, effect))
    await act(desk, effect, readTextAct(answer, turn, turn_id))
  return {
    ...ended,
    ...{ outcome, answer, usage, phases },
    ...(why && { failure: why }),
    worked_ms: Math.round(clock.elapsed() - began),
    now: clock.now(),
  }
}

/** An agent without our tools answers with its last words; so may one that works alone and has nobody to vote with. */
const countsWords = ({ settings }: RunState, { agent, turn }: RunTurn): boolean =>
  turn.purpose !== 'present' &&
  (agent.speaks === 'text' || (settings.coordination.skip_voting && settings.agents.length === 1))

function settingsFor(state: RunState, { agent, turn }: RunTurn, confines: boolean): TurnSettings {
  const { settings } = state
  const presents = turn.purpose === 'present'
  const own = !presents && !settings.coordination.write_during_coordination
  const broadcast = presents ? undefined : broadcastOf(state)
  return {
    ...settings.turn,
    ...(own && confines && { rules: [...freeInCopy(settings.turn.tools), ...(settings.turn.rules ?? [])] }),
    ...(turn.max_tokens !== undefined && { max_tokens: turn.max_tokens }),
    ...(turn.max_usd !== undefined && { max_usd: turn.max_usd }),
    reflect: 'never',
    tools: [...settings.turn.tools, ...toolsFor(state, { presents, speaks: agent.speaks, broadcast })],
    team: {
      run_id: state.run_id,
      purpose: turn.purpose,
      speaks: agent.speaks,
      history: [...agent.history],
      sees_chat: settings.sees_chat,
      ...(broadcast && { broadcast }),
    },
  }
}

/**
 * Files and commands of a copy behind a sandbox are nothing a person would have to be asked about. Whatever else an agent
 * has reaches beyond the copy, and the rules of the config go before these.
 */
const freeInCopy = (tools: readonly ToolTraits[]): PermissionRule[] =>
  tools
    .filter(({ changes, confinable }) => changes === 'files' || confinable)
    .map(({ name }) => ({ tool: name, action: 'allow' }))

/** One agent alone has no peers to ask. */
function broadcastOf({ settings }: RunState): 'agents' | 'human' | undefined {
  const { broadcast } = settings.coordination
  return broadcast === 'agents' && settings.agents.length === 1 ? undefined : broadcast
}

/** The same ones in every round, so that each request extends the one before it. Without votes there is no vote tool. */
function toolsFor(
  { settings }: RunState,
  {
    presents,
    speaks,
    broadcast,
  }: { presents: boolean; speaks: 'tools' | 'text'; broadcast: string | undefined },
): ToolTraits[] {
  if (presents || speaks === 'text') return []
  return teamTools
    .filter(({ name }) => name !== 'vote' || !settings.coordination.skip_voting)
    .filter(({ name }) => name !== ASK_OTHERS || broadcast !== undefined)
    .map(({ name, read_only, ends_turn }) => ({ name, read_only, ...(ends_turn && { ends_turn }) }))
}

function profileFor(state: RunState, { turn, agent }: RunTurn): Profile {
  const { settings } = state
  const { skip_voting, voting_sensitivity, final_answer_strategy } = settings.coordination
  if (turn.purpose === 'present') {
    const strategy = final_answer_strategy === 'synthesize' ? 'synthesize' : 'winner_present'
    return { name: 'presentation', presentation: { strategy } }
  }
  const planning = settings.turn.mode === 'Plan'
  const ask_others = agent.speaks === 'tools' && broadcastOf(state) !== undefined
  return {
    name: 'coordination',
    coordination: { skip_voting, voting_sensitivity, ask_others, planning },
  }
}
