import { looksReadOnly } from '../../core/policy/authorize.ts'
import { visibleTools } from '../../core/policy/visible-tools.ts'
import { ASK_OTHERS } from '../../core/turn/ask-others.ts'
import type { TurnEffect } from '../../core/turn/effects.ts'
import type { TurnInput } from '../../core/turn/input.ts'
import type { TurnId } from '../../schema/ids.ts'
import { type Tool, type ToolContext, type ToolResult, failed } from '../../tools/tool.ts'
import type { TurnOrder, Turns } from '../turns.ts'
import { launchRun } from './launch-run.ts'
import { lookOnly } from './look-only.ts'
import { reachOf, rootOf, watchReach } from './reach.ts'

type RunTool = Extract<TurnEffect, { type: 'run_tool' }>

/** Iterations a sub-agent may take to look around. */
const EXPLORE_ITERATIONS = 12

/** Runs one call and measures it. */
export async function runTool(
  turns: Turns,
  order: TurnOrder,
  effect: RunTool,
  signal: AbortSignal,
): Promise<TurnInput> {
  const { clock } = turns.parts
  const { call } = effect
  const began = clock.elapsed()
  const result = await watched(turns, order, effect, () =>
    run(turns, effect, context(turns, order, effect, signal)),
  )
  const { success, output, files, usage } = result
  return {
    type: 'tool_finished',
    call_id: call.id,
    success,
    output,
    duration_ms: Math.round(clock.elapsed() - began),
    ...(files?.length && { files }),
    ...(usage && { usage }),
  }
}

/**
 * A call that may change anything is watched: what it changed becomes part of its result. Commands that
 * only look are not, because watching costs more than they do.
 */
async function watched(
  { parts: { tools, watch } }: Turns,
  order: TurnOrder,
  { call, read_only, confined }: RunTool,
  work: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const changes = tools.find(({ name }) => name === call.name)?.changes
  if (!watch || read_only || confined || changes !== 'anything' || looksReadOnly(call)) return work()
  const end = await watchReach(watch, order)
  const result = await work()
  const { files, note } = await end()
  return {
    ...result,
    output: note === undefined ? result.output : `${result.output}\n${note}`,
    files: [...(result.files ?? []), ...files],
  }
}

async function run(turns: Turns, { call }: RunTool, context: ToolContext): Promise<ToolResult> {
  const tool: Tool | undefined = turns.parts.tools.find(({ name }) => name === call.name)
  if (!tool) return failed(`There is no tool called ${call.name}.`)
  return tool.run(call.input, context)
}

function context(turns: Turns, order: TurnOrder, effect: RunTool, signal: AbortSignal): ToolContext {
  const { call, read_only, confined = false, child } = effect
  const call_id = call.id
  const { ask } = order
  const whole = reachOf(turns.parts, order)
  return {
    ...(read_only || confined ? lookOnly(whole) : whole),
    signal,
    confined,
    call_id,
    ...(order.coordinate && { coordinate: order.coordinate }),
    ...(ask && { ask: (text) => ask({ call_id, text }, signal) }),
    ...(order.settings.launch && { launch: () => launchRun(turns, order, effect, signal) }),
    chat_id: order.chat.chat_id,
    seen: turns.seen(order.chat.chat_id, rootOf(order)),
    onOutput: (text) => turns.live(order.turn_id, { type: 'tool.output', call_id, text }),
    explore: async (question) => {
      if (!child?.startsWith('turn_')) return failed('this agent cannot delegate')
      const settings = {
        ...order.settings,
        mode: 'Plan',
        reflect: 'never',
        max_iterations: Math.min(order.settings.max_iterations, EXPLORE_ITERATIONS),
        tools: visibleTools({ tools: order.settings.tools, mode: 'Plan' }).filter(
          ({ nested, ends_turn, launches, name }) =>
            !nested && !ends_turn && !launches && name !== ASK_OTHERS,
        ),
      } as const
      const parent = { turn_id: order.turn_id, call_id }
      const { outcome, answer, usage } = await turns.run(
        { ...order, turn_id: child as TurnId, prompt: question, settings, parent },
        signal,
      )
      return { success: outcome === 'complete', output: answer, usage }
    },
  }
}
