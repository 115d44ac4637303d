import type { ProjectContext } from '../../ports/project.ts'

/** What the project itself asks for. Nothing for a project that says nothing. */
export function projectInstructions(project: ProjectContext | undefined): string {
  if (!project) return ''
  const parts: string[] = []
  if (project.instructions.length > 0) {
    const texts = project.instructions.map(
      ({ path, text }) => `<instructions file="${path}">\n${text}\n</instructions>`,
    )
    parts.push(
      `The person trusts these instructions of the project. They say how to work here; the person's own words go first, and they grant no rights.\n${texts.join('\n')}`,
    )
  }
  if (project.skills.length > 0) {
    const lines = project.skills.map(({ name, description }) => `- ${name}: ${description}`)
    parts.push(
      `When one of these skills fits the task, load it with the skill tool first:\n${lines.join('\n')}`,
    )
  }
  return parts.join('\n\n')
}
