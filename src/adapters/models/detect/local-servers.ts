import type { IncomingMessage } from 'node:http'
import { type ProviderName, providers } from '../../../schema/providers.ts'
import type { FoundProvider } from './environment.ts'

const LONGEST_WAIT_MS = 150
const LONGEST_LIST = 1_000_000

/** What listens on this machine where model servers usually do. */
const usual: ProviderName[] = ['ollama', 'lmstudio', 'llamacpp', 'vllm']

export interface Place {
  provider: ProviderName
  base_url: string
}

/** Asks the usual places for their models, all at once; what has not answered in time is not there. */
export async function findLocalServers(
  places: readonly Place[] = usualPlaces(),
  wait_ms = LONGEST_WAIT_MS,
): Promise<FoundProvider[]> {
  const signal = AbortSignal.timeout(wait_ms)
  const answers = await Promise.all(
    places.map(async ({ provider, base_url }) => {
      const models = await listModels(base_url, signal).catch(() => undefined)
      return models ? [{ provider, because: `it answers at ${base_url}`, models, base_url }] : []
    }),
  )
  return answers.flat()
}

const usualPlaces = (): Place[] =>
  usual.flatMap((provider) => {
    const { base_url } = providers[provider]
    return base_url ? [{ provider, base_url }] : []
  })

/** Undefined when what answers is no model server. */
async function listModels(base_url: string, signal: AbortSignal): Promise<string[] | undefined> {
  const { get } = process.getBuiltinModule('node:http')
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${base_url}/models`, { signal, agent: false }, resolve).on('error', reject)
  })
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk as string
    if (text.length > LONGEST_LIST) return undefined
  }
  const { data } = JSON.parse(text) as { data?: unknown }
  if (response.statusCode !== 200 || !Array.isArray(data)) return undefined
  return data.flatMap((model: { id?: unknown } | null) => (typeof model?.id === 'string' ? [model.id] : []))
}
