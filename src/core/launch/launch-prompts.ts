import { parsePlan } from '../plan/parse-plan.ts'
import type { LaunchRequest } from '../../schema/launch.ts'

/** The message of a run: its task and context, and nothing else of the conversation. */
export const launchPrompt = ({ task, context }: Pick<LaunchRequest, 'task' | 'context'>): string =>
  context ? `${task}\n\nContext:\n${context}` : task

/** The message of the run that carries out the plan of another. */
export function executionPrompt(prompt: string, answer: string): string {
  const plan = parsePlan(answer)
  return `${prompt}\n\nCarry out this plan, which the team has chosen:\n${
    plan ? JSON.stringify(plan, null, 2) : answer
  }`
}
