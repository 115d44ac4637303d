import { type Flag, flags } from '../flags.ts'

/** Commands and what can follow each. `files` and `chats` stand for names that the shell finds out itself. */
export const commandWords: Record<string, { about: string; words?: readonly string[]; takes?: Takes }> = {
  plan: { about: 'look and propose a plan' },
  'execute-plan': { about: 'carry a plan out', words: ['latest'] },
  answer: { about: 'answer what a chat waits for', words: ['approve', 'reject'] },
  demo: { about: 'the built-in planner on a sample project' },
  serve: { about: 'web page and HTTP API' },
  attach: { about: 'the terminal UI on a server that runs' },
  mcp: { about: 'launch_run for other agents' },
  sessions: {
    about: 'stored chats',
    words: ['list', 'show', 'export', 'rm', 'search', 'undo'],
    takes: 'chats',
  },
  project: { about: 'notes and runs of this folder', words: ['init', 'show'] },
  trust: { about: "let a folder's own config apply", takes: 'folders' },
  config: {
    about: 'check, describe or import a config',
    words: ['check', 'schema', 'import'],
    takes: 'files',
  },
  init: { about: 'find models and write a config' },
  replay: { about: 'a recorded run again', takes: 'chats' },
  doctor: { about: 'what works on this machine' },
  docker: { about: 'the image for containers', words: ['build'] },
  completion: { about: 'completion for a shell', words: ['bash', 'zsh', 'fish'] },
}

export type Takes = 'files' | 'folders' | 'chats'

export interface FlagWords {
  name: string
  short?: string
  about: string
  /** A value has to follow. */
  value: boolean
  choices: readonly string[]
  takes?: Takes
}

export const flagWords = (): FlagWords[] =>
  Object.entries(flags as Record<string, Flag>).map(([name, { short, value, optional, choices, help }]) => {
    const takes = value === undefined ? undefined : kinds[value]
    return {
      name,
      ...(short && { short }),
      about: help,
      value: value !== undefined && !optional,
      choices: choices ?? [],
      ...(takes && { takes }),
    }
  })

/** By what the help calls the value. */
const kinds: Record<string, Takes> = {
  file: 'files',
  'path[:write]': 'files',
  dir: 'folders',
  chat: 'chats',
}
