import { type Budget, budgetLeft, withinBudget } from '../../core/launch/budget-left.ts'
import { executionPrompt, launchPrompt } from '../../core/launch/launch-prompts.ts'
import { launchResult } from '../../core/launch/launch-result.ts'
import { narrow } from '../../core/launch/narrow.ts'
import { readLaunch } from '../../core/launch/read-launch.ts'
import { withoutWrites } from '../../core/modes/overrides.ts'
import type { RunState } from '../../core/run/state.ts'
import type { OpenRun } from '../../core/session/state.ts'
import { sha256 } from '../../core/sha256.ts'
import type { TurnEffect } from '../../core/turn/effects.ts'
import { type RunId, isRunId } from '../../schema/ids.ts'
import type { LaunchRequest } from '../../schema/launch.ts'
import type { RunSettings } from '../../schema/run-event.ts'
import { type Usage, addUsage } from '../../schema/usage.ts'
import { type ToolResult, failed } from '../../tools/tool.ts'
import type { TurnOrder, Turns } from '../turns.ts'

type RunTool = Extract<TurnEffect, { type: 'run_tool' }>

/** Runs what the agent asked for, as its own stream: after a crash the same call goes on with the same run. */
export async function launchRun(
  turns: Turns,
  order: TurnOrder,
  { call, child, confined, background }: RunTool,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { launch: team } = order.settings
  if (!child || !isRunId(child) || !team || !turns.parts.launch) return failed('There is no team to launch.')
  const request = readLaunch(call.input, team)
  if ('refused' in request) return failed(`The run was not launched: ${request.refused}.`)
  const left = await findBudget(turns, order, child)
  if (!left) return failed('The run was not launched: the budget of this turn is spent.')
  const planning = request.planning_mode || confined === true
  const prompt = launchPrompt(request)
  const settings = (run_id: RunId, plans: boolean) =>
    settingsFor(turns, order, { run_id, request, left, planning: plans })
  const first: OpenRun = { run_id: child, prompt, settings: settings(child, planning) }
  const next: RunId = `${child}-x`
  // Only what a person approved as such, or need not approve at all, comes here; from Plan mode nothing does.
  const follow_up =
    request.execute_after_planning && !confined
      ? { run_id: next, prompt, settings: settings(next, false) }
      : undefined
  if (background && order.background) {
    const refused = await order.background.launch({ ...first, ...(follow_up && { follow_up }) })
    if (refused) return failed(`The run was not launched: ${refused.rejected}.`)
    return { success: true, output: inBackground(child, follow_up !== undefined) }
  }
  const planned = await start(turns, order, first, signal)
  if (!follow_up || planned.finished?.status !== 'complete') return resultOf(planned)
  const rest = withinBudget(follow_up.settings, planned.usage)
  if (!rest) return withNote(resultOf(planned), `The plan was not carried out: the budget is spent.`)
  await turns.send(order.turn_id, { type: 'run_launched', call_id: call.id, run_id: next })
  const carriedOut = await start(
    turns,
    order,
    { run_id: next, prompt: executionPrompt(prompt, planned.finished.final_answer), settings: rest },
    signal,
  )
  const result = resultOf(carriedOut)
  const usage = addUsage(planned.usage, carriedOut.usage)
  return withNote({ ...result, usage }, `${child} made the plan, ${next} carried it out.`)
}

const inBackground = (run_id: RunId, executes: boolean): string =>
  `${run_id} works in the background, as the person wished${
    executes ? '; another run then carries out its plan' : ''
  }. Its result will come as a message; do not wait for it and do not launch it again.`

function start(
  turns: Turns,
  { chat, onPending }: TurnOrder,
  run: OpenRun,
  signal: AbortSignal,
): Promise<RunState> {
  return turns.runTeam({ chat, ...run, onPending }, signal)
}

/** What the turn has left, without what its runs in the background may still use. */
async function findBudget(turns: Turns, order: TurnOrder, child: RunId): Promise<Budget | undefined> {
  const { settings, usage } = await turns.read(order.turn_id)
  const ours = child.slice(0, child.lastIndexOf('-') + 1)
  const others = (order.background?.runs() ?? []).filter(
    ({ run_id }) => run_id !== child && run_id.startsWith(ours),
  )
  const held = others.map(({ settings: { budget } }): Usage => ({
    ...{ input_tokens: budget.max_tokens ?? 0, output_tokens: 0 },
    ...{ cost_usd: budget.max_usd ?? 0, model_calls: 0 },
  }))
  return budgetLeft(settings, held.reduce(addUsage, usage))
}

/** A child's rights are a subset of its parent's: its mode, permissions, rules, grants, paths, tools and budget. */
function settingsFor(
  turns: Turns,
  { settings: parent, chat }: TurnOrder,
  {
    run_id,
    request,
    left,
    planning,
  }: { run_id: RunId; request: LaunchRequest; left: Budget; planning: boolean },
): RunSettings {
  const { launch } = turns.parts
  if (!launch) throw new Error('this engine cannot launch runs')
  const { mode: _, tools, plan: __, team: ___, launch: ____, reach, ...rights } = parent
  const mode = planning || parent.mode === 'Plan' || chat.config.agent_mode === 'Plan' ? 'Plan' : 'Act'
  const base = {
    turn: { ...rights, ...left },
    planning: mode === 'Plan',
    context_paths: reach?.context ?? [],
  }
  const wanted = narrow(launch(request, base), request.coordination_overrides)
  return {
    ...wanted,
    coordination: mode === 'Plan' ? withoutWrites(wanted.coordination) : wanted.coordination,
    seed: wanted.seed ?? Number.parseInt(sha256(run_id).slice(0, 8), 16),
    sees_chat: false,
    turn: { ...wanted.turn, mode, tools: tools.filter(({ launches }) => !launches) },
  }
}

/** What the agent reads: the result, where its files are, and how the team came to it. */
function resultOf(run: RunState): ToolResult {
  return {
    success: run.finished?.status === 'complete',
    output: JSON.stringify(launchResult(run), null, 1),
    files: [...(run.writes?.files ?? [])],
    usage: run.usage,
  }
}

const withNote = (result: ToolResult, note: string): ToolResult => ({
  ...result,
  output: `${note}\n${result.output}`,
})
