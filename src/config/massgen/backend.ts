import { providerAliases, providerNames, providers } from '../../schema/providers.ts'
import { guessBackend } from '../map-for.ts'
import { type Section, type Values, isMap } from './draft.ts'
import { backendReasons } from './reasons.ts'

/** Names MassGen has besides those that configs take. */
const types = new Map<string, string>([
  ['response', 'openai'],
  ['inference', 'vllm'],
  ['azure', 'azure_openai'],
  ['claude-code', 'claude_code'],
  ['claude-code-cli', 'claude_code'],
  ['gemini-cli', 'gemini_cli'],
  ['lm_studio', 'lmstudio'],
  ['copilot', 'acp'],
])

/** Our backend for one of MassGen's, or nothing when there is none. What else it holds is read by others first. */
export function importBackend(section: Section): Values | undefined {
  const framework = section.takeFirst('agent_config', 'group_config')
  const named = section.takeFirst('type', 'provider')
  const model = section.text('model') ?? section.text('azure_deployment')
  if (named === 'ag2') return importFramework(section, framework)
  const wide =
    typeof named === 'string' ? findType(named.toLowerCase()) : model && guessBackend(model)['type']
  if (!wide) {
    section.note(
      named === undefined ? '' : 'type',
      `there is no backend like ${JSON.stringify(named ?? null)}`,
    )
    return undefined
  }
  const address = importAddress(section, wide)
  const type = address.type ?? wide
  const backend: Values = { ...address, type, ...importKey(section, type) }
  if (named === 'copilot') backend['command'] = ['copilot', '--acp']
  const commandLine = type === 'acp' || providers[type as keyof typeof providers].client === 'acp'
  if (model && commandLine)
    section.note('model', 'the command-line agent chooses its model by its own settings')
  else if (model) backend['model'] = model
  copy(section, backend, 'temperature', 'temperature')
  copy(section, backend, 'max_output_tokens', 'max_output_tokens', 'max_tokens', 'max_completion_tokens')
  const reasoning = section.take('reasoning')
  const effort = section.takeFirst('reasoning_effort', 'model_reasoning_effort', 'effort')
  const wanted = effort ?? (isMap(reasoning) ? reasoning['effort'] : undefined)
  if (wanted !== undefined) backend['reasoning_effort'] = wanted
  section.reportRest(backendReasons)
  return backend
}

function copy(section: Section, backend: Values, to: string, ...keys: string[]): void {
  const value = section.takeFirst(...keys)
  if (value !== undefined) backend[to] = value
}

function findType(name: string): string | undefined {
  if ((providerNames as string[]).includes(name)) return name
  if (Object.hasOwn(providerAliases, name)) return providerAliases[name]
  return types.get(name)
}

/** `chatcompletion` stands for many services: one that we know by its address gets its own type. */
function importAddress(section: Section, type: string): Values & { type?: string } {
  const url = section.takeFirst('base_url', 'azure_endpoint', 'endpoint')
  if (typeof url !== 'string') {
    if (type !== 'openai_compatible') return {}
    return { type: 'openai', api: 'chat' }
  }
  if (/\$\{?\w/.test(url)) {
    section.note('base_url', 'addresses are not put together from variables; write it out')
    return {}
  }
  const host = hostOf(url)
  const known = providerNames.find((name) => host !== undefined && hostOf(providers[name].base_url) === host)
  const local = host !== undefined && /^(127\.|localhost)/.test(host)
  if (type === 'openai_compatible' && known && !local) return { type: known }
  return { base_url: url }
}

const hostOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : undefined

/** A key is never copied: only the name of the variable that holds it. */
function importKey(section: Section, type: string): Values {
  const key = section.take('api_key')
  const variable = section.text('api_key_env')
  if (variable) return { api_key_env: variable }
  if (typeof key !== 'string' || key === '') return {}
  const name = /^\$\{?([A-Za-z_]\w*)(?::-[^}]*)?\}?$/.exec(key)?.[1]
  const usual: readonly string[] = providers[type as keyof typeof providers].key_env ?? []
  if (name) return usual.includes(name) ? {} : { api_key_env: name }
  if (/^(EMPTY|none|not-needed|dummy)$/i.test(key)) return {}
  const where = usual[0] ?? 'a variable, and name that with api_key_env'
  section.note('api_key', `keys do not belong into a file: put it into ${where}`)
  return {}
}

/** AG2 runs its own loop around a model; of that, the model is taken. */
function importFramework(section: Section, framework: unknown): Values | undefined {
  const settings = isMap(framework) ? framework['llm_config'] : undefined
  const first: unknown = Array.isArray(settings) ? settings[0] : settings
  const list =
    isMap(first) && Array.isArray(first['config_list']) ? (first['config_list'][0] as unknown) : first
  const model = isMap(list) ? list['model'] : undefined
  const kind = isMap(list) && typeof list['api_type'] === 'string' ? findType(list['api_type']) : undefined
  section.reportRest(backendReasons)
  if (typeof model !== 'string') {
    section.note('type', 'AG2 agents are not run by Conclave, and this one names no model')
    return undefined
  }
  section.note('type', `AG2 agents are not run by Conclave; the agent uses the model ${model} by itself`)
  return kind ? { type: kind, model } : guessBackend(model)
}
