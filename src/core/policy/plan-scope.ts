import type { ApprovedPlan } from '../../schema/plan.ts'
import type { ToolCall, ToolTraits } from '../../schema/turn-event.ts'

/** Why a call is a step away from the approved plan; nothing when the plan covers it. Skipped steps cover nothing. */
export function findDrift(
  { plan, reviews }: ApprovedPlan,
  call: ToolCall,
  known: readonly ToolTraits[],
): string | undefined {
  const skipped = (step: number) =>
    reviews.some(({ step_number, decision }) => step_number === step && decision === 'skip')
  const steps = plan.steps.filter(({ step_number }) => !skipped(step_number))
  const tools = new Set(steps.flatMap(({ tools_needed }) => tools_needed))
  const writers = known.filter(({ read_only }) => !read_only).map(({ name }) => name)
  const named = plan.steps.some(({ tools_needed }) => tools_needed.some((name) => writers.includes(name)))
  if (named && !tools.has(call.name)) return `outside the approved plan: no step needs ${call.name}`
  if (!plan.steps.some(({ files }) => files)) return undefined
  const scope = steps.flatMap(({ files }) => files ?? [])
  const outside = (call.access ?? []).find(
    (access) =>
      (access.kind === 'write' || access.kind === 'delete') &&
      !scope.some((path) => covers(path, access.path)),
  )
  return outside && 'path' in outside
    ? `outside the approved plan: no step changes ${outside.path}`
    : undefined
}

/** A file covers itself, a folder everything below it. */
function covers(path: string, changed: string): boolean {
  const scope = clean(path)
  const target = clean(changed)
  if (scope === undefined || target === undefined) return false
  if (scope === '') return !target.startsWith('/')
  return target === scope || target.startsWith(`${scope}/`)
}

/** One spelling for a path; nothing for one that leads out of where it starts, which no plan can cover. */
function clean(path: string): string | undefined {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (!['', '.', '..', '*', '**'].includes(part)) parts.push(part)
  }
  if (!path.startsWith('/')) return parts.join('/')
  return parts.length > 0 ? `/${parts.join('/')}` : undefined
}
