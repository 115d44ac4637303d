import { dirname, join, resolve } from 'node:path'
import { findKeys } from '../adapters/models/detect/environment.ts'
import type { Agent } from '../engine/parts.ts'
import type { AgentConfig, Config } from '../schema/config.ts'
import type { Args } from './args.ts'
import { cacheFolder } from './cache-folder.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { findConfig } from './places.ts'
import { findProject, mustBeTrusted, untrusted } from './project.ts'
import { readShortcut } from './shortcut.ts'

/** The agent a person talks to, where that is not one of the team. */
export const INTERACTIVE_AGENT = 'conclave'

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
  context_paths?: Config['orchestrator']['context_paths']
  /** How a team works. */
  orchestrator?: Config['orchestrator']
  timeouts?: Config['timeout_settings']
  interactive?: Config['orchestrator']['interactive_mode']
  /** Projects have a workspace; absent: yes. */
  workspace?: boolean
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
  const roster = withInteractive(args, await chooseRoster(args, folder))
  if (project.trusted) return { ...roster, trusted: true }
  const named = resolve(args.value('config') ?? '')
  const left = project.gaps.map(({ path }) => path).filter((path) => resolve(folder, path) !== named)
  if (left.length === 0) return roster
  const notice = `not loaded, because the folder is not trusted (conclave trust): ${left.join(', ')}`
  return { ...roster, notice }
}

/** `--interactive` has the person talk to the interactive agent; naming a team has them talk to the team. */
function withInteractive(args: Args, roster: Roster): Roster {
  if (args.has('interactive'))
    return { ...roster, interactive: { ...INTERACTIVE, ...roster.interactive, enabled: true } }
  if (args.has('single') || args.has('multi')) return { ...roster, interactive: undefined }
  return roster
}

const INTERACTIVE: NonNullable<Roster['interactive']> = {
  enabled: true,
  require_approval: true,
  backend: null,
  append_system_prompt: null,
  context_compaction: { enabled: true, threshold_tokens: 100_000, preserve_recent: 10 },
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
      context_paths: orchestrator.context_paths,
      interactive: orchestrator.interactive_mode,
      workspace: loaded.config.project.workspace,
      timeout_s: loaded.config.timeout_settings.orchestrator_timeout_seconds,
      orchestrator,
      timeouts: loaded.config.timeout_settings,
    }
  }
  const { describeProblem } = await import('../config/problem.ts')
  const problems = loaded.problems.map((problem) => describeProblem(problem, loaded.source))
  throw new Exit(exitCodes.config, problems.join('\n'))
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

/** Makes agents when they are first used. */
export function agentLoader({ agents, base, interactive }: Roster): (id: string) => Promise<Agent> {
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
    const talks = id === INTERACTIVE_AGENT && interactive?.enabled
    const model = await loadModel((talks && interactive.backend) || config.backend, { base })
    const { identity, system_message } = config
    // It is the first agent in another role, unless it has a backend of its own.
    if (talks) return { id, model, ...(!interactive.backend && identity && { identity }) }
    return { id, model, identity, system_message }
  }
}
