import type { Instructions, ProjectContext, Skill } from '../../ports/project.ts'
import type { ProjectFile } from '../trust/project-files.ts'
import { readFrontMatter } from './front-matter.ts'

const MAX_INSTRUCTIONS = 48_000
const MAX_SKILLS = 100
const MAX_SKILL_TEXT = 64_000
const MAX_DESCRIPTION = 200
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/iu

/** Makes instructions and skills of files a person agreed to. */
export function projectContext(files: readonly ProjectFile[]): ProjectContext {
  return { instructions: instructionsOf(files), skills: skillsOf(files) }
}

/** The ones nearest to the work are kept whole first. */
function instructionsOf(files: readonly ProjectFile[]): Instructions[] {
  let room = MAX_INSTRUCTIONS
  const kept: Instructions[] = []
  for (const { path, bytes } of files.filter(({ kind }) => kind === 'instructions').toReversed()) {
    const text = textOf(bytes).trim()
    if (text === '' || room <= 0) continue
    kept.unshift({
      path,
      text: text.length > room ? `${text.slice(0, room)}\n[cut: ${path} is too long]` : text,
    })
    room -= text.length
  }
  return kept
}

/** Of two with one name the first counts; one without a usable name and description cannot be chosen. */
function skillsOf(files: readonly ProjectFile[]): Skill[] {
  const byName = new Map<string, Skill>()
  for (const { path, bytes } of files.filter(({ kind }) => kind === 'skill')) {
    const { fields, body } = readFrontMatter(textOf(bytes))
    const name = fields.get('name') ?? ''
    const description = oneLine(fields.get('description') ?? '')
    if (!NAME.test(name) || description === '' || byName.has(name) || byName.size === MAX_SKILLS) continue
    byName.set(name, { name, description, path, text: body.slice(0, MAX_SKILL_TEXT) })
  }
  return [...byName.values()]
}

const textOf = (bytes: Buffer | undefined): string => bytes?.toString('utf8') ?? ''

function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line
}
