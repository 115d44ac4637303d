import { type Config, configSchema } from '../schema/config.ts'
import { describeIssue } from './describe-issue.ts'
import { hideKeys } from './hide-keys.ts'
import { type Path, offsetOf } from './locate.ts'
import { findReservedKeys, parseYaml } from './parse-yaml.ts'
import type { ConfigProblem } from './problem.ts'
import { readSource } from './read-source.ts'

export type LoadedConfig =
  | { ok: true; config: Config; file: string }
  | { ok: false; problems: ConfigProblem[]; source: string }

/** Reads and checks a config file. All problems are reported at once, each at its place in the file. */
export function loadConfig(file: string): LoadedConfig {
  const read = readSource(file)
  return read.ok ? parseConfig(file, read.source) : { ok: false, problems: [read.problem], source: '' }
}

export function parseConfig(file: string, source: string): LoadedConfig {
  const parsed = parseYaml(file, source)
  if (!parsed.ok) return { ok: false, problems: parsed.problems, source: hideKeys(source) }
  const { document, value, at } = parsed
  const checked = configSchema.safeParse(value)
  const found = checked.success
    ? findRepeatedIds(checked.data)
    : checked.error.issues.flatMap((issue) => describeIssue(issue, value))
  const problems = found.map(({ path, part, ...told }) => ({
    ...at(offsetOf(document, path, part)),
    ...told,
  }))
  for (const { key, offset } of findReservedKeys(document)) {
    const place = at(offset)
    const told = problems.some(({ line, column }) => line === place.line && column === place.column)
    if (!told)
      problems.push({ ...place, message: `${key} is not a known key`, suggestion: 'choose another name' })
  }
  if (checked.success && problems.length === 0) return { ok: true, config: checked.data, file }
  problems.sort((a, b) => a.line - b.line || a.column - b.column)
  return { ok: false, problems, source: hideKeys(source) }
}

function findRepeatedIds({
  agents,
}: Config): { path: Path; part: 'value'; message: string; suggestion: string }[] {
  return agents.flatMap(({ id }, index) => {
    if (agents.findIndex((agent) => agent.id === id) === index) return []
    const message = `agents.${index}.id: "${id}" is used twice`
    return [
      {
        path: ['agents', index, 'id'],
        part: 'value' as const,
        message,
        suggestion: 'give each agent its own id',
      },
    ]
  })
}
