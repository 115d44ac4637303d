import { dirname } from 'node:path'
import type { Skill } from '../ports/project.ts'
import { type Tool, defineTool, failed } from './tool.ts'

/** Offered only where there are skills: its definition costs tokens in every request. */
export const skillTool = (skillsOf: (folder: string) => Promise<readonly Skill[]>): Tool =>
  defineTool({
    name: 'skill',
    read_only: true,
    description: 'Load a skill of this project: instructions for one kind of task.',
    input: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    },
    async run({ name }, { files }) {
      const skills = await skillsOf(files.root)
      const found = skills.find((skill) => skill.name === name)
      if (found)
        return { success: true, output: `(files it names are in ${dirname(found.path)})\n${found.text}` }
      return failed(
        `there is no skill ${name}; known: ${skills.map((skill) => skill.name).join(', ') || 'none'}`,
      )
    },
  })
