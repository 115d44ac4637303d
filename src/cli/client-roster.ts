import type { Roster as ClientRoster } from '../client/client.ts'
import { windowOf } from '../adapters/models/prices/windows.ts'
import { DEFAULT_ITERATIONS } from '../core/turn/steps.ts'
import type { PermissionMode } from '../schema/chat-config.ts'
import type { MessageSettings } from '../schema/command.ts'
import type { TeamMode } from '../schema/coordination.ts'
import { INTERACTIVE_AGENT, type Roster } from './agents.ts'
import type { Args } from './args.ts'
import { chooseTeam, runSettings } from './team.ts'

/** What a face must know to send messages, from the config and the command line. A person is there, so it asks. */
export async function clientRoster(args: Args, roster: Roster, folder: string): Promise<ClientRoster> {
  const { agents, permissions, budget, interactive, notice } = roster
  const chosen = args.value('agents')?.split(',')
  const reach = await findReachOf(args, roster, folder)
  const face: ClientRoster = {
    version: args.version,
    folder,
    agents: agents
      .filter(({ id }) => !chosen || chosen.includes(id))
      .map(({ id, backend }) => {
        const model = describeBackend(backend)
        const context_window = windowOf(model)
        return { id, model, ...(context_window !== undefined && { context_window }) }
      }),
    interactive: interactive?.enabled === true,
    ...(interactive?.enabled && { interactive_agent: INTERACTIVE_AGENT }),
    settings: {
      permission: (args.value('permission-mode') ?? 'ask') as PermissionMode,
      max_iterations: args.number('max-iterations') ?? DEFAULT_ITERATIONS,
      on_limit: args.has('max-iterations') ? 'stop' : 'ask',
      reflect: 'changed',
      ...limit('max_tokens', args.number('max-tokens') ?? budget?.max_tokens),
      ...limit('max_usd', args.number('max-budget-usd') ?? budget?.max_usd),
      rules: permissions ?? [],
      ...(reach && { reach }),
    },
    ...(notice && { notice }),
  }
  return { ...face, runs: runsOf(args, roster, face.settings) }
}

/** How a team works in each position of the mode bar. */
function runsOf(args: Args, roster: Roster, { reach, ...turn }: MessageSettings): ClientRoster['runs'] {
  const { agents, strategy } = chooseTeam(args, roster)
  const of = (team_mode: TeamMode, refinement: boolean) =>
    runSettings(
      roster,
      {
        agents: team_mode === 'multi' ? agents : roster.agents,
        team_mode,
        refinement,
        ...(strategy && { strategy }),
      },
      { turn, context_paths: reach?.context ?? [], plan: false },
    )
  return {
    single_refine: of('single', true),
    single_quick: of('single', false),
    multi_refine: of('multi', true),
    multi_quick: of('multi', false),
  }
}

const limit = <K extends string>(name: K, value: number | undefined): Partial<Record<K, number>> =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<K, number>>

function describeBackend({ type, model }: Roster['agents'][number]['backend']): string {
  if (type === 'scripted' || type === 'rehearsal') return type
  return model ? `${type}/${model}` : type
}

async function findReachOf(args: Args, roster: Roster, folder: string) {
  if (!args.has('context-path') && !roster.context_paths?.length) return undefined
  const { findReach } = await import('./context-paths.ts')
  return findReach(args, roster, folder)
}
