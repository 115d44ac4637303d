import type { SubtaskSpec } from '../../schema/turn-event.ts'
import type { Subtask } from './state.ts'

/** The tool whose call is a set of sub-tasks that the turn itself keeps track of. */
export const DELEGATE = 'delegate'

/** What is wrong with a decomposition; an empty list when it can be carried out. */
export function findSubtaskProblems(subtasks: readonly SubtaskSpec[]): string[] {
  if (subtasks.length === 0) return ['there is no sub-task']
  const ids = new Set<string>()
  const problems: string[] = []
  for (const { id } of subtasks) {
    if (ids.has(id)) problems.push(`the id "${id}" is used twice`)
    ids.add(id)
  }
  for (const { id, depends_on } of subtasks) {
    for (const needed of depends_on) {
      if (!ids.has(needed)) problems.push(`"${id}" depends on "${needed}", which does not exist`)
    }
  }
  if (problems.length > 0) return problems
  const cycle = findCycle(subtasks)
  return cycle ? [`the dependencies form a cycle: ${cycle.join(' → ')}`] : []
}

/** Sub-tasks whose dependencies are all done. */
export const readySubtasks = (subtasks: readonly Subtask[]): Subtask[] =>
  subtasks.filter(
    (subtask) =>
      subtask.status === 'waiting' && subtask.depends_on.every((id) => statusOf(subtasks, id) === 'complete'),
  )

/** Waiting sub-tasks that can never start, because something they need did not complete. */
export const deadSubtasks = (subtasks: readonly Subtask[]): Subtask[] =>
  subtasks.filter(
    (subtask) =>
      subtask.status === 'waiting' &&
      subtask.depends_on.some((id) => !['waiting', 'running', 'complete'].includes(statusOf(subtasks, id))),
  )

export function describeSubtasks(subtasks: readonly Subtask[]): string {
  return subtasks
    .map(({ id, status, summary }) => `## ${id}: ${status}\n${summary ?? ''}`.trim())
    .join('\n\n')
}

const statusOf = (subtasks: readonly Subtask[], id: string): Subtask['status'] =>
  subtasks.find((subtask) => subtask.id === id)?.status ?? 'waiting'

/** Takes away whatever has no unmet dependency until nothing changes; what is left over goes round in circles. */
function findCycle(subtasks: readonly SubtaskSpec[]): string[] | undefined {
  const left = new Map(subtasks.map(({ id, depends_on }) => [id, depends_on]))
  for (let size = -1; size !== left.size;) {
    size = left.size
    for (const [id, needs] of left) {
      if (!needs.some((needed) => left.has(needed))) left.delete(id)
    }
  }
  const first = left.keys().next().value
  if (first === undefined) return undefined
  const path = [first]
  for (let at = first; ;) {
    at = left.get(at)?.find((needed) => left.has(needed)) ?? first
    const seen = path.indexOf(at)
    if (seen >= 0) return [...path.slice(seen), at]
    path.push(at)
  }
}
