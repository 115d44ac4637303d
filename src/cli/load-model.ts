import { resolve } from 'node:path'
import type { Limits } from '../adapters/models/resilient/limits.ts'
import type { Model } from '../ports/model.ts'
import type { BackendConfig } from '../schema/config.ts'
import { type Provider, providers } from '../schema/providers.ts'
import { Exit, codeOf, exitCodes } from './exit-codes.ts'
import { readShortcut } from './shortcut.ts'

export interface LoadOptions {
  /** Where relative paths start. */
  base: string
}

/** Loads the client for a backend, and only the one that is used. */
export async function loadModel(backend: BackendConfig, options: LoadOptions): Promise<Model> {
  const provider = providers[backend.type]
  switch (provider.client) {
    case 'rehearsal': {
      const { rehearsalModel } = await import('../adapters/models/rehearsal/rehearsal.ts')
      return rehearsalModel()
    }
    case 'scripted':
      return loadScripted(backend, options.base)
    case 'acp':
      return (await import('./load-acp.ts')).loadAcp(backend, options.base)
    case 'openai':
    case 'anthropic':
    case 'google':
    case 'xai':
    case 'chat':
      return loadRemote(backend, provider, options)
  }
}

async function loadScripted({ file }: BackendConfig, base: string): Promise<Model> {
  if (!file) throw new Exit(exitCodes.config, 'a scripted backend needs a file: the script of replies')
  const { loadScript, scriptedModel } = await import('../adapters/models/scripted.ts')
  const script = await loadScript(resolve(base, file))
  if ('failure' in script)
    throw new Exit(exitCodes.input, `${script.failure.message}\n${script.failure.hint}`)
  return scriptedModel(script.replies)
}

async function loadRemote(backend: BackendConfig, provider: Provider, options: LoadOptions): Promise<Model> {
  const base_url = findAddress(backend, provider)
  if (!backend.model) {
    const such = provider.default_model ? `, such as ${provider.default_model}` : ''
    throw new Exit(exitCodes.config, `a ${backend.type} backend needs a model${such}`)
  }
  const [client, { resilient }, { free, priceOf, withCost }, { windowOf }] = await Promise.all([
    openClient(backend, provider, base_url),
    import('../adapters/models/resilient/resilient.ts'),
    import('../adapters/models/prices/cost.ts'),
    import('../adapters/models/prices/windows.ts'),
  ])
  const local = provider.local || (provider.client === 'chat' && isLoopback(base_url))
  const { context_window = windowOf(client.label), images } = backend
  const able = { ...client, context_window, ...(images === false && { images }) }
  const priced = withCost(able, local ? free : priceOf(client.label))
  const fallback = await loadFallback(backend.fallback ?? [], options)
  return resilient(priced, {
    provider: `${backend.type} ${base_url}`,
    limits: findLimits(backend, local),
    ...(fallback && { fallback }),
  })
}

/** A local server may have to load its model first, and hard thinking takes minutes. */
function findLimits({ timeouts = {}, reasoning_effort }: BackendConfig, local: boolean): Partial<Limits> {
  const slow = local || ['high', 'xhigh', 'max'].includes(reasoning_effort ?? '')
  const { first_seconds = slow ? 300 : undefined, progress_seconds, whole_seconds } = timeouts
  return {
    ...(first_seconds && { first_ms: first_seconds * 1000 }),
    ...(progress_seconds && { progress_ms: progress_seconds * 1000 }),
    ...(whole_seconds && { whole_ms: whole_seconds * 1000 }),
  }
}

async function openClient(backend: BackendConfig, provider: Provider, base_url: string): Promise<Model> {
  const { findKey } = await import('../adapters/models/keys/find-key.ts')
  const found = await findKey(backend, provider, process.env)
  // A proxy on this machine may hold the key itself.
  const keyless = isLoopback(base_url) && !backend.api_key_env && !backend.api_key_command
  if ('failure' in found && !keyless)
    throw new Exit(codeOf(found.failure), `${found.failure.message}\n${found.failure.hint}`)
  const { key, from } = 'failure' in found ? {} : found
  const { type, model = '', headers, temperature, max_output_tokens, reasoning_effort } = backend
  const common = {
    model,
    base_url,
    headers,
    temperature,
    max_output_tokens,
    reasoning_effort,
  }
  if (provider.client === 'chat') {
    const { openAiCompatible } = await import('../adapters/models/openai-compatible/openai-compatible.ts')
    return openAiCompatible({ ...common, provider: type, api_key: key })
  }
  const options = { ...common, provider: type, api: backend.api, api_key: key ?? 'none', key_from: from }
  switch (provider.client) {
    case 'openai':
      return (await import('../adapters/models/ai-sdk/openai.ts')).openAiModel(options)
    case 'anthropic':
      return (await import('../adapters/models/ai-sdk/anthropic.ts')).anthropicModel(options)
    case 'google':
      return (await import('../adapters/models/ai-sdk/google.ts')).googleModel(options)
    case 'xai':
      return (await import('../adapters/models/ai-sdk/xai.ts')).xaiModel(options)
    case 'acp':
    case 'scripted':
    case 'rehearsal':
      throw new Error(`${type} is no remote model`)
  }
}

/** The next one in the list is the fallback of the one before it. */
async function loadFallback(list: readonly string[], options: LoadOptions): Promise<Model | undefined> {
  const [first, ...others] = list
  if (first === undefined) return undefined
  const backend: BackendConfig = { ...readShortcut(first), ...(others.length > 0 && { fallback: others }) }
  const { lazyModel } = await import('../adapters/models/lazy.ts')
  return lazyModel(first, () => loadModel(backend, options))
}

function findAddress({ type, base_url }: BackendConfig, provider: Provider): string {
  if (base_url) return base_url
  const { name, path } = provider.base_url_env ?? { name: '', path: '' }
  const named = name ? process.env[name]?.trim().replace(/\/+$/, '') : undefined
  if (named) {
    if (!/^https?:/.test(named) || !URL.canParse(named))
      throw new Exit(exitCodes.usage, `${name} must be an http(s) address`)
    return named.endsWith(path) ? named : `${named}${path}`
  }
  if (provider.base_url) return provider.base_url
  throw new Exit(exitCodes.config, `a ${type} backend needs a base_url${name && `, or the variable ${name}`}`)
}

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
