import type { Skill } from '../../ports/project.ts'

/** What the skill tool can load, by name and one line. */
export function skillList(skills: readonly Pick<Skill, 'name' | 'description'>[]): string {
  if (skills.length === 0) return ''
  const lines = skills.map(({ name, description }) => `- ${name}: ${description}`)
  return `When one of these skills fits the task, load it with the skill tool first:\n${lines.join('\n')}`
}
