import { suggest } from '../config/suggest.ts'
import type { BackendConfig } from '../schema/config.ts'
import { type ProviderName, providerAliases, providerNames, providers } from '../schema/providers.ts'
import { usage } from './args.ts'

/** Reads `provider/model`, as `-m` and `fallback` have it. */
export function readShortcut(text: string): BackendConfig {
  const slash = text.indexOf('/')
  const type = findProvider(slash < 0 ? text : text.slice(0, slash), text)
  const rest = slash < 0 ? undefined : text.slice(slash + 1)
  const { client, default_model, command } = providers[type]
  switch (client) {
    case 'rehearsal':
      return { type }
    case 'scripted':
      if (!rest) throw usage('-m scripted/<file> needs the file of replies')
      return { type, file: rest }
    case 'acp':
      if (!command) throw usage('-m cannot say which command to start; write a config with an acp backend')
      return { type, ...(rest && { model: rest }) }
    case 'openai':
    case 'anthropic':
    case 'google':
    case 'xai':
    case 'chat': {
      const model = rest || default_model
      if (!model) throw usage(`-m ${type} needs a model: -m ${type}/<model>`)
      if (type === 'openai_compatible' && !process.env['OPENAI_BASE_URL'])
        throw usage('-m openai_compatible/… needs OPENAI_BASE_URL, an http(s) address; or write a config')
      const keyed = type === 'openai_compatible' && process.env['OPENAI_API_KEY']
      return { type, model, ...(keyed && { api_key_env: 'OPENAI_API_KEY' }) }
    }
  }
}

function findProvider(name: string, text: string): ProviderName {
  if ((providerNames as string[]).includes(name)) return name as ProviderName
  const alias = Object.hasOwn(providerAliases, name) ? providerAliases[name] : undefined
  if (alias) return alias
  const meant = suggest(name, [...providerNames, ...Object.keys(providerAliases)])
  const hint = meant ? `did you mean ${meant}?` : `known: ${providerNames.join(', ')}`
  throw usage(
    `-m takes provider/model, such as ollama/qwen3 or openai/gpt-5, not "${text}"; there is no provider "${name}": ${hint}`,
  )
}
