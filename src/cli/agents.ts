import { dirname, join, resolve } from 'node:path'
import type { Agent } from '../engine/parts.ts'
import type { Model } from '../ports/model.ts'
import type { AgentConfig, BackendConfig, Config } from '../schema/config.ts'
import { type Args, usage } from './args.ts'
import { cacheFolder } from './cache-folder.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { findConfig } from './places.ts'

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
}

/** The agents of this start: from `-m`, from the config, or the built-in planner. */
export async function findAgents(args: Args, folder: string): Promise<Roster> {
  const model = args.value('model')
  if (model !== undefined) {
    return {
      agents: [{ id: 'agent', backend: readShortcut(model) }],
      base: process.cwd(),
      source: `-m ${model}`,
    }
  }
  const file = findConfig(args, folder)
  if (!file)
    return { agents: [{ id: 'rehearsal', backend: { type: 'rehearsal' } }], base: folder, source: 'built-in' }
  const { loadCached } = await import('../config/cached.ts')
  const loaded = await loadCached(file, { folder: cacheFolder(), version: args.version })
  if (loaded.ok) {
    const { agents, mcp_servers, web_fetch } = loaded.config
    const from_project = args.value('config') === undefined && resolve(file).startsWith(join(folder, '/'))
    return { agents, base: dirname(resolve(file)), source: file, from_project, mcp_servers, web_fetch }
  }
  const { describeProblem } = await import('../config/problem.ts')
  const problems = loaded.problems.map((problem) => describeProblem(problem, loaded.source))
  throw new Exit(exitCodes.config, problems.join('\n'))
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
    return { id, model: await loadModel(config.backend, base), system_message: config.system_message }
  }
}

const chatCompletions: Partial<Record<BackendConfig['type'], { base_url?: string; api_key_env?: string }>> = {
  openai_compatible: {},
  openai: { base_url: 'https://api.openai.com/v1', api_key_env: 'OPENAI_API_KEY' },
  xai: { base_url: 'https://api.x.ai/v1', api_key_env: 'XAI_API_KEY' },
  ollama: { base_url: 'http://127.0.0.1:11434/v1' },
}

/** Loads the adapter for a backend: only the one that is used. */
export async function loadModel(backend: BackendConfig, base: string): Promise<Model> {
  if (backend.type === 'rehearsal') {
    const { rehearsalModel } = await import('../adapters/models/rehearsal/rehearsal.ts')
    return rehearsalModel()
  }
  if (backend.type === 'scripted') {
    if (!backend.file)
      throw new Exit(exitCodes.config, 'a scripted backend needs a file: the script of replies')
    const { loadScript, scriptedModel } = await import('../adapters/models/scripted.ts')
    const script = await loadScript(resolve(base, backend.file))
    if ('failure' in script)
      throw new Exit(exitCodes.input, `${script.failure.message}\n${script.failure.hint}`)
    return scriptedModel(script.replies)
  }
  const defaults = chatCompletions[backend.type]
  if (!defaults) {
    throw new Exit(
      exitCodes.config,
      `this version has no ${backend.type} backend yet; use openai_compatible with its base_url`,
    )
  }
  const { base_url = defaults.base_url, model, headers } = backend
  if (!base_url) throw new Exit(exitCodes.config, `a ${backend.type} backend needs a base_url`)
  if (!model) throw new Exit(exitCodes.config, `a ${backend.type} backend needs a model`)
  const { openAiCompatible } = await import('../adapters/models/openai-compatible/openai-compatible.ts')
  return openAiCompatible({
    base_url,
    model,
    headers,
    api_key: readKey(backend.api_key_env, defaults.api_key_env),
  })
}

/** A key comes from the environment, never from a file. */
function readKey(named: string | undefined, usual: string | undefined): string | undefined {
  const variable = named ?? usual
  if (!variable) return undefined
  const key = Object.hasOwn(process.env, variable) ? process.env[variable]?.trim() : undefined
  if (key) return key
  throw new Exit(
    exitCodes.credentials,
    `no key: the environment variable ${variable} is not set; export it and start again`,
  )
}

function readShortcut(text: string): BackendConfig {
  const slash = text.indexOf('/')
  const type = slash < 0 ? text : text.slice(0, slash)
  const rest = slash < 0 ? undefined : text.slice(slash + 1)
  if (type === 'rehearsal') return { type }
  if (type === 'scripted' && rest) return { type, file: rest }
  if (type === 'openai_compatible' && rest) {
    const base_url = process.env['OPENAI_BASE_URL']
    if (!base_url || !/^https?:/.test(base_url) || !URL.canParse(base_url))
      throw usage('-m openai_compatible/… needs OPENAI_BASE_URL, an http(s) address; or write a config')
    return {
      type,
      model: rest,
      base_url,
      ...(process.env['OPENAI_API_KEY'] && { api_key_env: 'OPENAI_API_KEY' }),
    }
  }
  if ((type === 'openai' || type === 'xai' || type === 'ollama') && rest) return { type, model: rest }
  throw usage(`-m takes provider/model, such as ollama/qwen3 or openai/gpt-5, not "${text}"`)
}
