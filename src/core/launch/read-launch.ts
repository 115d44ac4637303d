import type { LaunchOverrides, LaunchRequest, LaunchSettings } from '../../schema/launch.ts'

/** Reads what an agent wants to launch; whatever is wrong with it is told to the agent. */
export function readLaunch(
  input: Record<string, unknown>,
  { agents: team }: LaunchSettings,
): LaunchRequest | { refused: string } {
  const task = text(input['task'])
  if (!task) return { refused: 'task is missing: say what is to be accomplished' }
  const mode = input['agent_mode'] ?? 'multi'
  if (mode !== 'single' && mode !== 'multi') return { refused: 'agent_mode must be single or multi' }
  const context = text(input['context'])
  const known = team.map(({ id }) => id)
  const named = Array.isArray(input['agents']) ? [...new Set(input['agents'].map(String))] : []
  const unknown = named.filter((id) => !known.includes(id))
  if (unknown.length > 0) {
    return { refused: `there is no agent ${unknown.join(', ')}; the config has ${known.join(', ')}` }
  }
  const chosen = named.length > 0 ? named : known
  const overrides = readOverrides(input['coordination_overrides'])
  if ('refused' in overrides) return overrides
  const planning_mode = input['planning_mode'] === true
  return {
    task,
    ...(context && { context }),
    agent_mode: mode,
    agents: mode === 'single' ? chosen.slice(0, 1) : chosen,
    refinement: typeof input['refinement'] === 'boolean' ? input['refinement'] : mode === 'multi',
    planning_mode,
    execute_after_planning: planning_mode && input['execute_after_planning'] === true,
    coordination_overrides: overrides,
  }
}

const counts = [
  'max_new_answers_per_agent',
  'max_new_answers_global',
  'max_iterations',
  'max_tokens',
  'max_usd',
  'timeout_seconds',
] as const
const switches = ['skip_voting', 'disable_injection', 'defer_voting_until_all_answered'] as const

/** A model may only narrow: other keys are refused, and so are values that would widen. */
function readOverrides(given: unknown): LaunchOverrides | { refused: string } {
  if (given === undefined || given === null) return {}
  const allowed = `allowed are ${[...counts, ...switches].join(', ')}`
  if (typeof given !== 'object' || Array.isArray(given))
    return { refused: `coordination_overrides must be an object; ${allowed}` }
  const overrides: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    if (counts.some((name) => name === key)) {
      const fits = key === 'max_usd' ? Number.isFinite(value) : Number.isSafeInteger(value)
      if (typeof value !== 'number' || !fits || value <= 0)
        return { refused: `${key} must be a ${key === 'max_usd' ? '' : 'whole '}number above 0` }
      overrides[key] = value
    } else if (switches.some((name) => name === key)) {
      if (value !== true) return { refused: `${key} can only be switched on; what is on stays on` }
      overrides[key] = true
    } else return { refused: `coordination_overrides cannot hold ${JSON.stringify(key)}; ${allowed}` }
  }
  return overrides
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? value : undefined
