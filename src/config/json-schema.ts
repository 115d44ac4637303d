import { z } from 'zod'
import { configSchema } from '../schema/config.ts'

/** The parts of JSON Schema that a config's schema is made of. */
export interface SchemaNode {
  description?: string
  type?: string
  enum?: string[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  properties?: Record<string, SchemaNode>
  required?: string[]
  items?: SchemaNode
  additionalProperties?: SchemaNode | false
  anyOf?: SchemaNode[]
}

/** A config as JSON Schema, in the draft that editors take. */
export function configJsonSchema(): SchemaNode {
  known ??= {
    ...(z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' }) as SchemaNode),
    ...{ title: 'Conclave', description: 'The config of Conclave: conclave.yaml.' },
  }
  return known
}

let known: SchemaNode | undefined

/** What the schema says of the value at a path, if it knows such a path. */
export function schemaAt(path: readonly PropertyKey[]): SchemaNode | undefined {
  let nodes: SchemaNode[] = [configJsonSchema()]
  for (const step of path) {
    nodes = nodes.flatMap(branches).flatMap((node) => child(node, step) ?? [])
  }
  return nodes[0]
}

export const branches = (node: SchemaNode): SchemaNode[] => node.anyOf ?? [node]

export const takesNull = (node: SchemaNode): boolean => branches(node).some(({ type }) => type === 'null')

/** The keys that the schema knows below a node. */
export const keysOf = (node: SchemaNode | undefined): string[] =>
  node ? branches(node).flatMap(({ properties }) => Object.keys(properties ?? {})) : []

/** The sections in which the schema knows a key. */
export function sectionsWith(key: string): string[] {
  const found: string[] = []
  const visit = (node: SchemaNode, path: string): void => {
    for (const { properties, items, additionalProperties } of branches(node)) {
      if (properties && Object.hasOwn(properties, key)) found.push(path)
      for (const [name, inner] of Object.entries(properties ?? {}))
        visit(inner, path ? `${path}.${name}` : name)
      if (items) visit(items, `${path}[]`)
      if (additionalProperties) visit(additionalProperties, `${path}.<name>`)
    }
  }
  visit(configJsonSchema(), '')
  return found
}

function child(
  { properties, items, additionalProperties }: SchemaNode,
  step: PropertyKey,
): SchemaNode | undefined {
  if (typeof step === 'number') return items
  const name = String(step)
  if (properties && Object.hasOwn(properties, name)) return properties[name]
  return additionalProperties || undefined
}
