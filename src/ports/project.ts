/** What a trusted project tells the agents that work in it. */
export interface ProjectContext {
  /** The repository's first, the folder's own last. */
  instructions: Instructions[]
  skills: Skill[]
}

export interface Instructions {
  path: string
  text: string
}

export interface Skill {
  name: string
  /** One line. */
  description: string
  /** Of the file it is in. */
  path: string
  text: string
}
