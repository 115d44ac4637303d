import { type Budget, budgetLeft } from '../../core/launch/budget-left.ts'
import type { RunEffect } from '../../core/run/effects.ts'
import { agentOf } from '../../core/run/state.ts'
import { visibleTools } from '../../core/policy/visible-tools.ts'
import { ASK_OTHERS } from '../../core/turn/ask-others.ts'
import { questionPrompt } from '../../prompts/team/turn-prompts.ts'
import type { TurnId } from '../../schema/ids.ts'
import type { Reach } from '../../schema/reach.ts'
import type { TurnSettings } from '../../schema/turn-event.ts'
import { type Usage, addUsage, noUsage } from '../../schema/usage.ts'
import { type ToolResult, failed } from '../../tools/tool.ts'
import type { RunDesk } from './desk.ts'
import { openWorkspace, worksInCopy } from './reach-for.ts'

type RunTurn = Extract<RunEffect, { type: 'run_turn' }>

/** Iterations a peer may take to answer. */
const ITERATIONS = 4

/** Asks everybody else in the run, each in a turn of its own that can only look, and collects what they say. */
export async function askOthers(
  desk: RunDesk,
  { agent, turn }: RunTurn,
  { call_id, text }: { call_id: string; text: string },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { actor, turns } = desk
  const now = () => turns.parts.clock.now()
  const who = { agent_id: agent.id, call_id }
  const left = budgetLeft(turn, (await turns.read(turn.turn_id)).usage)
  if (!left) return failed('Not asked: your budget is spent.')
  const refused = await actor.send({
    ...{ type: 'ask', ...who },
    turn_id: turn.turn_id,
    question: text,
    now: now(),
  })
  if (refused) return failed(`Not asked: ${refused.rejected}.`)
  const asked = agentOf(actor.state, agent.id)?.questions?.find((question) => question.call_id === call_id)
  if (!asked) return failed('Not asked: there is nobody to ask.')
  const share = asked.peers.length
  const replies = await Promise.all(
    asked.peers.map((peer) => reply(desk, { ...peer, asker: turn, left, call_id, share, text }, signal)),
  )
  await actor.send({ type: 'asked', ...who, now: now() })
  return {
    success: replies.some(({ complete }) => complete),
    output: replies.map(({ said }, index) => `Reply ${index + 1}: ${said}`).join('\n\n'),
    usage: replies.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), noUsage),
  }
}

interface Asked {
  agent_id: string
  turn_id: TurnId
  asker: RunTurn['turn']
  /** What the asker has not used yet. */
  left: Budget
  call_id: string
  share: number
  text: string
}

async function reply(
  desk: RunDesk,
  { agent_id, turn_id, asker, left, call_id, share, text }: Asked,
  signal: AbortSignal,
): Promise<{ said: string; complete: boolean; usage: Usage }> {
  const { order, turns, actor } = desk
  const { settings } = actor.state
  const peer = agentOf(actor.state, agent_id)
  const reach = await lookingReach(desk, agent_id)
  if (!peer || 'refused' in reach) return { said: '(no reply)', complete: false, usage: noUsage }
  const looking: TurnSettings = {
    ...settings.turn,
    mode: 'Plan',
    permission: 'deny',
    reflect: 'never',
    on_limit: 'stop',
    max_iterations: ITERATIONS,
    tools: visibleTools({ tools: settings.turn.tools, mode: 'Plan' }).filter(
      ({ nested, ends_turn, launches, name }) => !nested && !ends_turn && !launches && name !== ASK_OTHERS,
    ),
    reach,
    // What it takes is taken from the one who asks.
    ...(left.max_tokens !== undefined && { max_tokens: Math.floor(left.max_tokens / share) }),
    ...(left.max_usd !== undefined && { max_usd: left.max_usd / share }),
  }
  const { outcome, answer, usage } = await turns.run(
    {
      chat: order.chat,
      turn_id,
      agent_id,
      prompt: questionPrompt(text),
      settings: looking,
      parent: { turn_id: asker.turn_id, call_id },
      history: [...peer.history, ...(peer.turn ? [peer.turn.turn_id] : [])],
      onPending: (pending) => order.onPending(pending, { turn_id, agent_id }),
    },
    signal,
  )
  const complete = outcome === 'complete'
  return { said: complete ? answer : '(no reply)', complete, usage }
}

/** The peer looks at its own work. */
async function lookingReach(desk: RunDesk, agent_id: string): Promise<Reach | { refused: string }> {
  const { settings, folder } = desk.actor.state
  const context = settings.context_paths.map((path) => ({ ...path, permission: 'read' as const }))
  if (!worksInCopy(desk.actor.state)) return { root: folder, root_access: 'read', context }
  const workspace = await openWorkspace(desk, agent_id)
  return 'refused' in workspace ? workspace : { root: workspace.path, root_access: 'read', context }
}
