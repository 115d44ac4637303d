import { type ProviderName, providerNames, providers } from '../../../schema/providers.ts'
import { readVariable } from '../keys/find-key.ts'

export interface FoundProvider {
  provider: ProviderName
  /** What was found, for people: a variable, or an address. */
  because: string
  /** Models to choose from, the suggested one first; empty when the person must know. */
  models: string[]
  base_url?: string
}

/** The providers whose keys are in the environment, in the order of our table. */
export function findKeys(environment: Record<string, string | undefined>): FoundProvider[] {
  return providerNames.flatMap((provider) => {
    const { key_env = [], default_model, base_url, base_url_env } = providers[provider]
    const variable = key_env.find((name) => readVariable(environment, name))
    const reachable = base_url || (base_url_env && readVariable(environment, base_url_env.name))
    if (!variable || !reachable) return []
    return [{ provider, because: `${variable} is set`, models: default_model ? [default_model] : [] }]
  })
}
