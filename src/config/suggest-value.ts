import { looksLikeKey } from './hide-keys.ts'
import { type SchemaNode, branches, takesNull } from './json-schema.ts'
import { mapFor } from './map-for.ts'
import { suggest } from './suggest.ts'

/** What a wrong value was most likely meant to be, as advice; `key` is the name it stands under. */
export function suggestValue(key: string, value: unknown, node: SchemaNode): string | undefined {
  if (key === 'api_key_env')
    return 'put the key into an environment variable and name that, such as OPENAI_API_KEY'
  if (typeof value === 'string' && looksLikeKey(value)) return undefined
  if (value === null) return key ? `leave ${key} out${describeDefault(node)}` : 'take the empty entry out'
  for (const branch of branches(node)) {
    const advice = suggestFor(key, value, branch, node)
    if (advice) return advice
  }
  return undefined
}

function suggestFor(key: string, value: unknown, branch: SchemaNode, node: SchemaNode): string | undefined {
  if (branch.enum) return suggestOption(value, branch.enum)
  switch (branch.type) {
    case 'boolean':
      return suggestBoolean(value)
    case 'integer':
    case 'number':
      return suggestNumber(key, value, branch, node)
    case 'array':
      return suggestList(value, branch)
    case 'object':
      if (Array.isArray(value)) return key === 'mcp_servers' ? 'write each name, then its server' : undefined
      return wrap(mapFor(value, branch))
    case 'string':
      return suggestText(key, value, branch)
    default:
      return undefined
  }
}

const meant = (what: string): string => `did you mean ${what}?`

const wrap = (what: string | undefined): string | undefined => what && meant(what)

/** Words people use for the options we have. */
const synonyms: Record<string, readonly string[]> = {
  write: ['rw', 'w', 'readwrite', 'read-write', 'read_write', 'full', 'edit'],
  read: ['ro', 'r', 'readonly', 'read-only', 'read_only', 'view'],
  docker: ['container', 'podman'],
  local: ['host', 'native', 'shell'],
  required: ['true', 'on', 'always', 'yes', 'strict'],
  off: ['false', 'none', 'no', 'never', 'disabled'],
  auto: ['default', 'automatic', 'system'],
  strict: ['high', 'hard'],
  balanced: ['medium', 'normal', 'moderate'],
  lenient: ['low', 'soft', 'easy'],
  deny: ['block', 'forbid', 'never', 'refuse', 'disallow'],
  allow: ['permit', 'always', 'accept', 'approve'],
  ask: ['prompt', 'confirm'],
  openai: ['gpt', 'chatgpt', 'response'],
  anthropic: ['claude_api'],
  gemini: ['vertex'],
  ollama: ['local'],
  chat: ['completions', 'chat_completions'],
}

function suggestOption(value: unknown, options: readonly string[]): string | undefined {
  if (typeof value === 'object') return undefined
  const given = String(value).toLowerCase()
  const known = options.find((option) => synonyms[option]?.includes(given))
  const part = given.length > 2 ? options.find((option) => option.split('_').includes(given)) : undefined
  const found = options.find((option) => option === given) ?? known ?? part ?? suggest(given, options)
  return found && meant(found)
}

function suggestBoolean(value: unknown): string | undefined {
  const given = String(value).toLowerCase()
  if (['yes', 'y', 'on', 'true', '1', 'enabled'].includes(given)) return meant('true')
  if (['no', 'n', 'off', 'false', '0', 'disabled', 'none'].includes(given)) return meant('false')
  return undefined
}

function suggestNumber(
  key: string,
  value: unknown,
  branch: SchemaNode,
  node: SchemaNode,
): string | undefined {
  const whole = branch.type === 'integer'
  const none = takesNull(node) ? meant('null, for no limit') : undefined
  if (typeof value === 'string') {
    const number = readNumber(key, value)
    if (number === undefined)
      return none && /^(none|no|off|unlimited|infinite|inf)$/i.test(value) ? none : undefined
    return meant(`${whole ? Math.round(number) : number}`)
  }
  if (typeof value !== 'number') return undefined
  if (!Number.isFinite(value) || value === 0 || value === -1) return none ?? describeRange(branch, node)
  if (value < 0 && (branch.exclusiveMinimum ?? branch.minimum ?? -1) >= 0)
    return `${meant(String(whole ? Math.max(1, Math.round(-value)) : -value))}${describeDefault(node)}`
  if (whole && !Number.isInteger(value)) return meant(String(Math.max(1, Math.round(value))))
  return describeRange(branch, node)
}

/** Also with what people add: `30s`, `5 min`, `100k`, `$2`, `1,800`. */
function readNumber(key: string, text: string): number | undefined {
  const read = /^\s*\$?\s*(-?[\d,_]*\.?\d+)\s*([a-z]*)\s*$/i.exec(text)
  if (!read) return undefined
  const number = Number(read[1]?.replaceAll(/[,_]/g, ''))
  const unit = (read[2] ?? '').toLowerCase()
  if (key.endsWith('_ms')) return scale(number, unit, { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000 })
  if (key.endsWith('_seconds')) {
    const units = { ms: 0.001, s: 1, sec: 1, seconds: 1, m: 60, min: 60, minutes: 60, h: 3600, hours: 3600 }
    return scale(number, unit, units)
  }
  return scale(number, unit, { k: 1000, m: 1_000_000, usd: 1, tokens: 1 })
}

function scale(number: number, unit: string, units: Record<string, number>): number | undefined {
  const factor = unit === '' ? 1 : Object.hasOwn(units, unit) ? units[unit] : undefined
  return factor === undefined || !Number.isFinite(number) ? undefined : number * factor
}

function describeRange(
  { exclusiveMinimum, minimum, maximum }: SchemaNode,
  node: SchemaNode,
): string | undefined {
  const limits = [
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(minimum === undefined || minimum < -1e15 ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined || maximum > 1e15 ? [] : [`at most ${maximum}`]),
  ]
  return limits.length === 0 ? undefined : `use a number ${limits.join(' and ')}${describeDefault(node)}`
}

function suggestList(value: unknown, { items }: SchemaNode): string | undefined {
  if (typeof value === 'object') return 'begin each entry of a list with "- "'
  if (items?.type === 'object') {
    const entry = mapFor(value, items)
    return entry && meant(`[${entry}]`)
  }
  const words = String(value).trim().split(/\s+/)
  return words.length > 12 ? undefined : meant(`[${words.map((word) => JSON.stringify(word)).join(', ')}]`)
}

function suggestText(key: string, value: unknown, { format, pattern }: SchemaNode): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return `put it in quotes: "${value}"`
  if (typeof value !== 'string') return undefined
  if (format === 'uri' && /^[\w.-]+(:\d+)?(\/\S*)?$/.test(value)) {
    const local = /^(localhost|127\.|\[::1\]|0\.0\.0\.0|10\.|192\.168\.)/.test(value)
    return meant(`${local ? 'http' : 'https'}://${value}`)
  }
  if (key === 'id' && pattern) {
    const fitting = value.replaceAll(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+|-+$/g, '')
    return fitting && fitting.length <= 60 ? meant(fitting) : undefined
  }
  return undefined
}

function describeDefault({ default: given }: SchemaNode): string {
  return given === undefined || given === null || typeof given === 'object'
    ? ''
    : ` (left out, it is ${String(given)})`
}
