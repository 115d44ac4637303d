import { providerAliases, providerNames } from '../schema/providers.ts'
import { type SchemaNode, keysOf } from './json-schema.ts'

/** The map that says the same as a single value standing in its place. */
export function mapFor(value: unknown, node: SchemaNode): string | undefined {
  const keys = keysOf(node)
  if (typeof value === 'boolean' && keys.includes('enabled')) return written({ enabled: value })
  if (typeof value === 'number' && keys.includes('max_usd')) return written({ max_usd: value })
  if (typeof value === 'number' && keys.includes('orchestrator_timeout_seconds'))
    return written({ orchestrator_timeout_seconds: value })
  if (typeof value !== 'string' || value.length > 100) return undefined
  if (keys.includes('api_key_env')) return written(guessBackend(value))
  if (keys.includes('backend')) return written({ id: value, backend: '…' })
  if (keys.includes('permission')) {
    const [, path = value, permission = 'read'] = /^(.*?):(read|write|ro|rw)$/.exec(value) ?? []
    return written({ path, permission: /^(write|rw)$/.test(permission) ? 'write' : 'read' })
  }
  if (keys.includes('timeout_seconds'))
    return written({ name: value.split(' ').at(-1) ?? value, command: value })
  if (keys.includes('read_only_tools'))
    return written(/^https?:/.test(value) ? { url: value } : { command: value })
  if (keys.includes('tool')) return written({ tool: value, action: 'ask' })
  if (keys.includes('sandbox')) return written({ mode: value })
  if (keys.includes('image')) return written({ image: value })
  if (keys.includes('theme')) return written({ theme: value })
  return undefined
}

/** `gpt-5`, `openai/gpt-5` or `openai` as a backend. */
export function guessBackend(text: string): Record<string, string> {
  const [first = '', ...rest] = text.split('/')
  const known = [...providerNames, ...Object.keys(providerAliases)]
  if (known.includes(first)) return rest.length > 0 ? { type: first, model: rest.join('/') } : { type: first }
  return { type: families.find(({ name }) => name.test(text))?.type ?? 'openai_compatible', model: text }
}

const families = [
  { name: /^(gpt|o\d|chatgpt|codex)/i, type: 'openai' },
  { name: /^(claude|sonnet|opus|haiku)/i, type: 'anthropic' },
  { name: /^gemini/i, type: 'gemini' },
  { name: /^grok/i, type: 'xai' },
  { name: /^(llama|qwen|mistral|phi|gemma|deepseek)[\w.-]*:/i, type: 'ollama' },
]

function written(map: Record<string, unknown>): string {
  const entries = Object.entries(map).map(([key, value]) => `${key}: ${plain(value)}`)
  return `{ ${entries.join(', ')} }`
}

const plain = (value: unknown): string =>
  typeof value === 'string' && !/^[\w./-]*[A-Za-z…][\w./:…-]*$/.test(value)
    ? JSON.stringify(value)
    : String(value)
