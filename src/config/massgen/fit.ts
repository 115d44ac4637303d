import { configSchema } from '../../schema/config.ts'
import { describeIssue } from '../describe-issue.ts'
import type { Path } from '../locate.ts'

/** More than any file has wrong. */
const MOST = 1000

/**
 * Takes out of a config what the schema refuses, and says what and why; values are not repaired by guess. It stops when
 * there is no agent left.
 */
export function fitToSchema(config: Record<string, unknown>): { path: Path; why: string }[] {
  const removed: { path: Path; why: string }[] = []
  for (let round = 0; round < MOST; round++) {
    const checked = configSchema.safeParse(config)
    const issue = checked.error?.issues[0]
    const [problem] = issue ? describeIssue(issue, config) : []
    if (!problem || problem.path.join() === 'agents') return removed
    const gone = remove(config, problem.path)
    if (gone.length === 0) throw new Error(`an imported config cannot be made to fit: ${problem.message}`)
    removed.push({ path: gone, why: problem.message.replace(`${problem.path.join('.')}: `, '') })
  }
  return removed
}

/** Removes the value at a path, or what is around it where it is missing. An agent without a backend is no agent. */
function remove(config: Record<string, unknown>, path: Path): Path {
  for (let length = path.length; length > 0; length--) {
    const [parent, last] = [at(config, path.slice(0, length - 1)), path[length - 1] ?? '']
    if (Array.isArray(parent) && typeof last === 'number' && last < parent.length) {
      parent.splice(last, 1)
      return path.slice(0, length)
    }
    if (typeof parent === 'object' && parent !== null && Object.hasOwn(parent, last)) {
      Reflect.deleteProperty(parent, last)
      return path.slice(0, length)
    }
  }
  return []
}

function at(config: unknown, path: Path): unknown {
  let value = config
  for (const step of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[step]
  return value
}
