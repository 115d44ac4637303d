import type { z } from 'zod'
import { describeExpected, describeFound } from './describe-value.ts'
import { type SchemaNode, schemaAt } from './json-schema.ts'
import type { Path } from './locate.ts'
import { suggestKey } from './suggest-key.ts'
import { suggestValue } from './suggest-value.ts'

/** One thing that is wrong with a value, and the path of what it is about. */
export interface ValueProblem {
  path: Path
  part: 'key' | 'value'
  message: string
  suggestion?: string
}

/** Says of an issue what was expected, what was found, and what was most likely meant. */
export function describeIssue(issue: z.core.$ZodIssue, root: unknown, at: Path = []): ValueProblem[] {
  const path = [...at, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...{ path: [...path, key], part: 'key' },
      message: `${[...path, key].join('.')} is not a known key`,
      suggestion: suggestKey(path, key),
    }))
  }
  if (issue.code === 'invalid_union') {
    // The branch that got furthest knows best what is wrong.
    const inside = issue.errors.find((issues) => issues.some((inner) => inner.path.length > 0))
    if (inside) return inside.flatMap((inner) => describeIssue(inner, root, path))
  }
  const part = issue.code === 'invalid_key' ? 'key' : 'value'
  const name = path.join('.') || 'the file'
  const [value, node] = [valueAt(root, path), schemaAt(path)]
  const key = String(path.findLast((step) => typeof step === 'string') ?? '')
  const suggestion = node && suggest(key, value, node, path)
  return [
    { path, part, message: `${name}: ${explain(issue, value, node)}`, ...(suggestion && { suggestion }) },
  ]
}

function suggest(key: string, value: unknown, node: SchemaNode, path: Path): string | undefined {
  if (path.length === 0 || (key === 'agents' && value === undefined))
    return 'begin with agents: a list, each with an id and a backend (conclave init writes one)'
  if (value !== undefined) return suggestValue(typeof path.at(-1) === 'number' ? '' : key, value, node)
  if (key === 'id') return `add id: agent${Number(path[1] ?? 0) + 1}`
  if (node.enum) return `add ${key}: ${node.enum[0]}, or another of its values`
  return `add ${key}`
}

function explain(issue: z.core.$ZodIssue, value: unknown, node: SchemaNode | undefined): string {
  const found = describeFound(value)
  const own = issue.code === 'custom' || !/^(Invalid|Too |Unrecognized)/.test(issue.message)
  if (own) return typeof value === 'object' ? issue.message : `${issue.message}, found ${found}`
  const expected = node ? describeExpected(node) : issue.message
  if (value === undefined) return `is missing; expected ${expected}`
  return `expected ${expected}, found ${found}`
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}
