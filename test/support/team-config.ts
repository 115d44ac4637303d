import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { Program } from './program.ts'
import { writeFiles } from './workbench.ts'

/** Gives the program a config with these agents, each with a script of its own. `more` goes below them. */
export function team(program: Program, agents: Record<string, ScriptedReply[]>, more = ''): Program {
  const files = Object.entries(agents).map(([id, replies]) => [`scripts/${id}.json`, JSON.stringify(replies)])
  writeFiles(program.home, Object.fromEntries(files) as Record<string, string>)
  const lines = Object.keys(agents).map(
    (id) => `  - { id: ${id}, backend: { type: scripted, file: ${program.home}/scripts/${id}.json } }`,
  )
  return program.configure(`agents:\n${lines.join('\n')}\n${more}`)
}
