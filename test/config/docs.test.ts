import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configPage } from '../../scripts/config-docs.ts'
import { type SchemaNode, branches, configJsonSchema } from '../../src/config/json-schema.ts'

test('docs/config.md is what the schema says (sh scripts/node.sh scripts/config-docs.ts writes it)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/config.md'), 'utf8')
  expect(page).toBe(configPage())
})

test('every key of the schema is described', () => {
  const missing: string[] = []
  const visit = (node: SchemaNode, path: string): void => {
    for (const { properties, items, additionalProperties } of branches(node)) {
      for (const [key, inner] of Object.entries(properties ?? {})) {
        if (!inner.description) missing.push(`${path}.${key}`)
        visit(inner, `${path}.${key}`)
      }
      if (items) visit(items, `${path}[]`)
      if (additionalProperties) visit(additionalProperties, `${path}.*`)
    }
  }
  visit(configJsonSchema(), '')
  expect(missing).toEqual([])
})
