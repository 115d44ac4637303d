import fs from 'node:fs'
import path from 'node:path'
import { describeExpected } from '../src/config/describe-value.ts'
import { type SchemaNode, branches, configJsonSchema } from '../src/config/json-schema.ts'

const page = path.join(import.meta.dirname, '../docs/config.md')

/** docs/config.md, as the schema has it. */
export function configPage(): string {
  return `${intro}\n${[...sections(configJsonSchema(), '')].join('\n')}`
}

const intro = `<!-- Written by scripts/config-docs.ts from src/schema/config.ts. Change that, then run: sh scripts/node.sh scripts/config-docs.ts -->

# Config

A config is YAML (or JSON). The first of these that exists is used: \`--config <file>\`, \`./conclave.yaml\`,
\`./.conclave/config.yaml\` (these two once the folder is trusted), \`$XDG_CONFIG_HOME/conclave/config.yaml\`. Without one,
the first key found in the environment is used, and without a key the built-in planner. \`conclave init\` writes a config.

\`\`\`yaml
agents:
  - id: sonnet
    backend: { type: anthropic, model: claude-sonnet-4-5 }
  - id: local
    backend: { type: ollama, model: qwen3 }
orchestrator:
  context_paths: [{ path: src, permission: write, protected_paths: [src/vendor] }]
  evidence: [{ name: tests, command: npm test }]
\`\`\`

- \`conclave config check [file]\` reports everything that is wrong at once: file, line, column, what was expected, what was
  found, and what was probably meant. Exit code 52.
- \`conclave config schema > conclave.schema.json\` is for editors; with the YAML language server, begin the config with
  \`# yaml-language-server: $schema=./conclave.schema.json\`.
- \`conclave config import <massgen.yaml> [-o file]\` turns one of MassGen's files into a config. What has no counterpart is
  reported with its line; keys are not copied.

Keys of services never stand in a config: they come from the environment (\`api_key_env\` names the variable) or from a
command (\`api_key_command\`). Only one document, no tags, no merge keys; anchors are fine.
`

function* sections(node: SchemaNode, at: string): Generator<string> {
  const inner: [SchemaNode, string][] = []
  const rows = Object.entries(node.properties ?? {}).map(([key, value]) => {
    const place = at === '' ? key : `${at}.${key}`
    const below = mapBelow(value)
    if (below && !(place.endsWith('.backend') && at !== 'agents[]'))
      inner.push([below.node, place + below.suffix])
    const needed = node.required?.includes(key) ? 'needed' : shown(value.default)
    return `| \`${key}\` | ${takes(value)} | ${needed} | ${value.description ?? ''} |`
  })
  if (at !== '') yield `## \`${at}\`\n`
  else yield '## The top of the file\n'
  yield `| Key | Takes | Left out | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`
  for (const [below, place] of inner) yield* sections(below, place)
}

/** The map with keys of its own that a value is, or consists of. */
function mapBelow(value: SchemaNode): { node: SchemaNode; suffix: string } | undefined {
  for (const branch of branches(value)) {
    if (branch.properties) return { node: branch, suffix: '' }
    if (branch.items?.properties) return { node: branch.items, suffix: '[]' }
    if (branch.additionalProperties && branch.additionalProperties.properties)
      return { node: branch.additionalProperties, suffix: '.<name>' }
  }
  return undefined
}

function takes(value: SchemaNode): string {
  if (value.enum) return value.enum.map((option) => `\`${option}\``).join(' ')
  const below = mapBelow(value)
  if (!below) return describeExpected(value)
  const what = below.suffix === '' ? 'a map' : below.suffix === '[]' ? 'a list of maps' : 'maps by name'
  return branches(value).some(({ type }) => type === 'null') ? `${what} or null` : what
}

function shown(value: unknown): string {
  return value === undefined || (typeof value === 'object' && value !== null) ? '' : `\`${String(value)}\``
}

if (import.meta.main) fs.writeFileSync(page, configPage())
