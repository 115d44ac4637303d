import type { ChatPlan } from '../../src/core/session/state.ts'
import type { TurnState } from '../../src/core/turn/state.ts'
import type { Command, CommandResult } from '../../src/schema/command.ts'
import type { Plan } from '../../src/schema/plan.ts'
import type { Workbench } from './workbench.ts'
import type { TurnId } from '../../src/schema/ids.ts'

/** A plan as a model writes it: one step for each file. */
export const planFor = (goal: string, ...files: string[]): Plan => ({
  goal,
  steps: files.map((file, index) => ({
    step_number: index + 1,
    action: `Change ${file}`,
    reason: `${file} needs it`,
    tools_needed: ['create_file', 'update_file'],
    estimated_time: '1 min',
    files: [file],
  })),
  estimated_total_time: `${files.length} min`,
  risks: ['none that we know of'],
  prerequisites: [],
})

/** A reply that holds the plan the way models send it. */
export const proposes = (plan: object): { text: string } => ({
  text: `I looked at it. This is what I would do:\n\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\``,
})

export const create = (path: string, content = 'x\n') => ({ name: 'create_file', input: { path, content } })

export const replace = (path: string, old_text: string, new_text: string) => ({
  name: 'update_file',
  input: { path, edits: [{ old_text, new_text }] },
})

/** The plan of the bench's chat. */
export async function planOf(bench: Workbench): Promise<ChatPlan> {
  const { plan } = await bench.engine.open(bench.chat)
  if (!plan) throw new Error('the chat has no plan')
  return plan
}

type Execute = Extract<Command, { type: 'execute_plan' }>

/** "Execute Plan", as any face sends it. */
export async function sendExecute(bench: Workbench, more: Partial<Execute> = {}): Promise<CommandResult> {
  const { plan_id, revision } = await planOf(bench)
  return bench.engine.execute({
    type: 'execute_plan',
    chat_id: bench.chat,
    plan_id,
    revision,
    by: 'test',
    agent_id: 'a',
    ...more,
    settings: { permission: 'ask', max_iterations: 15, reflect: 'never', ...more.settings },
  })
}

/** Executes the chat's plan and returns the turn at its end. */
export async function executePlan(bench: Workbench, more: Partial<Execute> = {}): Promise<TurnState> {
  const sent = await sendExecute(bench, more)
  if (!sent.accepted) throw new Error(sent.reason)
  const { turns } = await bench.engine.whenIdle(bench.chat)
  if (!turns) throw new Error('no turn began')
  return bench.engine.turn(turns.last as TurnId)
}
