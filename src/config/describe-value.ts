import { looksLikeKey } from './hide-keys.ts'
import { type SchemaNode, branches, keysOf } from './json-schema.ts'

const LONGEST = 60
const MOST_OPTIONS = 10

/** What a config holds, in a few words and without keys. */
export function describeFound(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'object') return 'a map'
  if (typeof value === 'string' && looksLikeKey(value)) return '[key]'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}…` : text
}

/** What the schema takes, in a few words. */
export function describeExpected(node: SchemaNode): string {
  const words = branches(node).map(describeBranch)
  return words.length < 3 ? words.join(' or ') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function describeBranch(node: SchemaNode): string {
  if (node.enum) {
    const [few, more] = [node.enum.slice(0, MOST_OPTIONS), node.enum.length - MOST_OPTIONS]
    return `one of ${few.join(', ')}${more > 0 ? ` and ${more} more (conclave config schema)` : ''}`
  }
  switch (node.type) {
    case 'null':
      return 'null'
    case 'boolean':
      return node.const === undefined ? 'true or false' : String(node.const)
    case 'integer':
      return `a whole number${range(node)}`
    case 'number':
      return `a number${range(node)}`
    case 'array':
      return node.items?.type === 'string' ? 'a list of strings' : 'a list'
    case 'object': {
      const keys = keysOf(node)
      return keys.length > 0
        ? `a map with ${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}`
        : 'a map'
    }
    case 'string':
    case undefined:
      return node.format === 'uri'
        ? 'an http or https address'
        : node.minLength
          ? 'a string that is not empty'
          : 'a string'
    default:
      return node.type
  }
}

/** JSON Schema repeats the limits of safe integers; they tell nobody anything. */
function range({ minimum, maximum, exclusiveMinimum }: SchemaNode): string {
  const least = Math.max(minimum ?? -Infinity, -1e15)
  const most = maximum !== undefined && maximum < 1e15 ? maximum : undefined
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`
  if (least > -1e15) return most === undefined ? `, ${least} or more` : ` from ${least} to ${most}`
  return most === undefined ? '' : `, ${most} or less`
}
