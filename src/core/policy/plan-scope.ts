import type { Plan } from '../../schema/plan.ts'
import type { ToolCall, ToolTraits } from '../../schema/turn-event.ts'

/** Why a call is a step away from the approved plan; nothing when the plan covers it. */
export function findDrift(plan: Plan, call: ToolCall, known: readonly ToolTraits[]): string | undefined {
  const tools = new Set(plan.steps.flatMap(({ tools_needed }) => tools_needed))
  const named = known.filter(({ name }) => tools.has(name))
  if (named.some((tool) => !tool.read_only) && !tools.has(call.name)) {
    return `outside the approved plan: no step needs ${call.name}`
  }
  const scope = plan.steps.flatMap(({ files }) => files ?? [])
  if (scope.length === 0) return undefined
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
  return scope === '.' || target === scope || target.startsWith(`${scope}/`)
}

const clean = (path: string): string => {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '**' && part !== '*')
  return parts.join('/') || '.'
}
