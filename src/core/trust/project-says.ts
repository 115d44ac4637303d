/** Files of a project that decide what runs, where requests go, or what a model is told. */
export const SETTINGS = [
  'conclave.yaml',
  'conclave.yml',
  '.conclave/config.yaml',
  '.conclave/config.yml',
  '.mcp.json',
] as const

/** The first one that a folder has is read. */
export const INSTRUCTIONS = ['AGENTS.md', 'CLAUDE.md'] as const

/** Each folder in these may hold a skill. */
export const SKILL_FOLDERS = ['.agents/skills', '.conclave/skills'] as const

export const SKILL_FILE = 'SKILL.md'

/** Notes that agents keep. They change all the time, so a person agrees to the file, not to its bytes. */
export const MEMORY_FILE = '.conclave/CONTEXT.md'

/** Everything in it. */
export const HOOK_FOLDER = '.conclave/hooks'
