import { dirname, join, resolve } from 'node:path'
import { findKeys } from '../adapters/models/detect/environment.ts'
import type { Agent } from '../engine/parts.ts'
import type { AgentConfig, Config } from '../schema/config.ts'
import { type Args, usage } from './args.ts'
import { cacheFolder } from './cache-folder.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { findConfig } from './places.ts'
import { findProject, mustBeTrusted, untrusted } from './project.ts'
import { readShortcut } from './shortcut.ts'

export interface Roster {
  agents: AgentConfig[]
  /** Where relative paths in the config start. */
  base: string
  /** What the choice of agents rests on, for `doctor` and error messages. */
  source: string
  /** The config lies in the folder itself, so whoever made the folder wrote it. */
  from_project?: boolean
  /** The person trusts the folder. */
  trusted?: boolean
  mcp_servers?: Config['mcp_servers']
  web_fetch?: Config['web_fetch']
  execution?: Config['execution']
  permissions?: Config['permissions']
  budget?: Config['orchestrator']['budget']
  /** Seconds for the whole run. */
  timeout_s?: number
  /** What the person should know about the choice. */
  notice?: string
  /** The config asks for recordings. */
  record?: boolean
}

/** The agents of this start. Nothing of the folder is read before the person trusts it, unless they named their config. */
export async function findAgents(args: Args, folder: string): Promise<Roster> {
  const project = await findProject(args, folder)
  if (!project.trusted && !args.has('config') && mustBeTrusted(project)) throw untrusted(folder, project)
  const roster = await chooseRoster(args, folder)
  if (project.trusted) return { ...roster, trusted: true }
  const named = resolve(args.value('config') ?? '')
  const left = project.gaps.map(({ path }) => path).filter((path) => resolve(folder, path) !== named)
  if (left.length === 0) return roster
  const notice = `not loaded, because the folder is not trusted (conclave trust): ${left.join(', ')}`
  return { ...roster, notice }
}

/** From `-m`, from the config, or the built-in planner. */
async function chooseRoster(args: Args, folder: string): Promise<Roster> {
  const model = args.value('model')
  if (model !== undefined) {
    return {
      agents: [{ id: 'agent', backend: readShortcut(model) }],
      base: process.cwd(),
      source: `-m ${model}`,
    }
  }
  const file = findConfig(args, folder)
  if (!file) return withoutConfig(folder)
  const { loadCached } = await import('../config/cached.ts')
  const loaded = await loadCached(file, { folder: cacheFolder(), version: args.version })
  if (loaded.ok) {
    const { agents, mcp_servers, web_fetch, execution, record, permissions, orchestrator } = loaded.config
    const from_project = args.value('config') === undefined && resolve(file).startsWith(join(folder, '/'))
    const base = dirname(resolve(file))
    return {
      ...{ agents, base, source: file, from_project, mcp_servers, web_fetch, execution, record, permissions },
      budget: orchestrator.budget,
      timeout_s: loaded.config.timeout_settings.orchestrator_timeout_seconds,
      notice: noteTeam(args, agents),
    }
  }
  const { describeProblem } = await import('../config/problem.ts')
  const problems = loaded.problems.map((problem) => describeProblem(problem, loaded.source))
  throw new Exit(exitCodes.config, problems.join('\n'))
}

function noteTeam(args: Args, agents: AgentConfig[]): string | undefined {
  if (agents.length === 1 || args.has('single') || args.has('agents')) return undefined
  return `teams are not in this version yet: of ${agents.length} agents, ${agents[0]?.id} answers (another: --single <id>)`
}

/** A key in the environment is an invitation; with none, the built-in planner works. */
function withoutConfig(folder: string): Roster {
  const found = findKeys(process.env).find(({ models }) => models.length > 0)
  const [model] = found?.models ?? []
  if (!found || !model)
    return { agents: [{ id: 'rehearsal', backend: { type: 'rehearsal' } }], base: folder, source: 'built-in' }
  const { provider, because } = found
  return {
    agents: [{ id: provider, backend: { type: provider, model } }],
    base: folder,
    source: because,
    notice: `no config: using ${provider}/${model} because ${because} (another: -m, conclave init; none: -m rehearsal)`,
  }
}

/** The one agent that answers, until there are teams. */
export function chooseAgent({ agents, source }: Roster, args: Args): AgentConfig {
  const wanted = args.value('single') ?? args.value('agents')?.split(',')[0]
  const chosen = wanted === undefined ? agents[0] : agents.find(({ id }) => id === wanted)
  if (chosen) return chosen
  throw usage(`there is no agent "${wanted}" (${source}); known: ${agents.map(({ id }) => id).join(', ')}`)
}

/** Makes agents when they are first used. */
export function agentLoader({ agents, base }: Roster): (id: string) => Promise<Agent> {
  const loaded = new Map<string, Promise<Agent>>()
  return (id) => {
    let agent = loaded.get(id)
    if (!agent) {
      agent = load(id)
      loaded.set(id, agent)
    }
    return agent
  }

  async function load(id: string): Promise<Agent> {
    const config = agents.find((agent) => agent.id === id) ?? agents[0]
    if (!config) throw new Error('there is no agent')
    const { loadModel } = await import('./load-model.ts')
    const model = await loadModel(config.backend, { base })
    return { id, model, system_message: config.system_message }
  }
}
