import type { Plan, PlanStep } from '../../schema/plan.ts'
import { jsonObjectsIn } from '../json-in-text.ts'

const LONGEST = 4_000
const MOST_STEPS = 100

/**
 * The plan in an agent's reply, if there is one: read leniently, because models wrap JSON in prose, and checked strictly,
 * because people act on it. A plan has a goal and at least one step that says what will be done. Of several the last
 * counts: those before it are quoted, or drafts.
 */
export function parsePlan(text: string): Plan | undefined {
  let plan: Plan | undefined
  for (const value of jsonObjectsIn(text)) plan = readPlan(value) ?? plan
  return plan
}

export function readPlan(value: Record<string, unknown>): Plan | undefined {
  const goal = readText(value['goal'])
  const steps = value['steps']
  if (!goal || !Array.isArray(steps) || steps.length === 0 || steps.length > MOST_STEPS) return undefined
  const read = steps.map(readStep)
  if (!read.every((step) => step !== undefined)) return undefined
  const total = readText(value['estimated_total_time'])
  return {
    goal,
    steps: read,
    ...(total && { estimated_total_time: total }),
    risks: readTexts(value['risks']),
    prerequisites: readTexts(value['prerequisites']),
  }
}

/** Steps are numbered by their place: a plan with two steps called 1 could not be reviewed step by step. */
function readStep(value: unknown, index: number): PlanStep | undefined {
  const step = typeof value === 'string' ? { action: value } : value
  if (typeof step !== 'object' || step === null || Array.isArray(step)) return undefined
  const { action, reason, tools_needed, estimated_time, files } = step as Record<string, unknown>
  const text = readText(action)
  if (!text) return undefined
  const time = readText(estimated_time)
  const named = readTexts(files)
  return {
    step_number: index + 1,
    action: text,
    reason: readText(reason) ?? '',
    tools_needed: readTexts(tools_needed),
    ...(time && { estimated_time: time }),
    ...(named.length > 0 && { files: named }),
  }
}

function readText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() ? text.trim().slice(0, LONGEST) : undefined
}

function readTexts(value: unknown): string[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return list.slice(0, MOST_STEPS).flatMap((item) => readText(item) ?? [])
}
