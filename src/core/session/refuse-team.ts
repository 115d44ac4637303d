import type { RunMessageSettings } from '../../schema/command.ts'

/** Why these agents cannot start a run. One that works alone writes in the person's folder, so there is only one. */
export function refuseTeam({
  team_mode,
  agents,
}: Pick<RunMessageSettings, 'team_mode' | 'agents'>): string | undefined {
  const ids = agents.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (ids.length === 0) return 'a run needs at least one agent'
  if (twice !== undefined) return `${twice} is in this team more than once; name each agent once`
  return team_mode === 'single' && ids.length > 1
    ? `one agent works alone; choose one of ${ids.join(', ')}`
    : undefined
}
