import type { Files } from '../../ports/files.ts'
import type { ProjectMemory } from '../../ports/project.ts'
import { openFiles } from '../files/gateway.ts'
import { clipLine } from './clip-line.ts'
import { INDEX, readEntries } from './deliverables.ts'
import { CONTEXT, EMPTY_CONTEXT, FILEPATHS } from './project-workspace.ts'
import { readJson } from './read-json.ts'

/** What of it goes into a prompt; the agent can read the files for the rest. */
const MOST_CONTEXT = 6_000
const MOST_PATHS = 50
const MOST_DESCRIPTION = 160
const MOST_DELIVERABLES = 10

/** What the workspace of a folder remembers; nothing where there is no CONTEXT.md. */
export async function readMemory(folder: string): Promise<ProjectMemory | undefined> {
  const files = openFiles(folder)
  const there = await files.stat(CONTEXT)
  if ('refused' in there) return undefined
  const problems: string[] = []
  return {
    context: await readContext(files, problems),
    paths: await readPaths(files, problems),
    deliverables: await readDeliverables(files, problems),
    problems,
  }
}

async function readContext(files: Files, problems: string[]): Promise<string> {
  const read = await files.readWhole(CONTEXT)
  if ('refused' in read) {
    problems.push(`${CONTEXT}: ${read.refused}`)
    return ''
  }
  if (read.text.trim() === EMPTY_CONTEXT.trim()) return ''
  const text = read.text.trim()
  if (text.length <= MOST_CONTEXT) return text
  return `${text.slice(0, MOST_CONTEXT)}\n[cut: ${CONTEXT} has ${text.length - MOST_CONTEXT} characters more]`
}

async function readPaths(files: Files, problems: string[]): Promise<ProjectMemory['paths']> {
  const read = await readJson(files, FILEPATHS)
  if ('problem' in read) problems.push(read.problem)
  if (!('value' in read)) return []
  return Object.entries(read.value)
    .flatMap(([path, text]) =>
      typeof text === 'string'
        ? [{ path: clipLine(path, MOST_DESCRIPTION), description: clipLine(text, MOST_DESCRIPTION) }]
        : [],
    )
    .slice(0, MOST_PATHS)
}

async function readDeliverables(files: Files, problems: string[]): Promise<ProjectMemory['deliverables']> {
  const read = await readJson(files, INDEX)
  if ('problem' in read) problems.push(read.problem)
  if (!('value' in read)) return []
  return readEntries(read.value)
    .slice(-MOST_DELIVERABLES)
    .toReversed()
    .map(({ path, run_id }) => ({ path: clipLine(path, MOST_DESCRIPTION), run_id }))
}
