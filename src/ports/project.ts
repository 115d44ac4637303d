import type { RunId } from '../schema/ids.ts'

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

/** What a project's workspace (`.conclave`) remembers from one chat and run to the next, cut to what fits a prompt. */
export interface ProjectMemory {
  /** The beginning of CONTEXT.md. */
  context: string
  /** From filepaths.json. */
  paths: { path: string; description: string }[]
  /** The newest first. */
  deliverables: Pick<Deliverable, 'path' | 'run_id'>[]
  /** Files of it that are there and cannot be read as what they should be. */
  problems: string[]
}

/** A result for the person, and where it comes from. */
export interface Deliverable {
  /** From the project's folder. */
  path: string
  run_id: RunId
  /** ISO time. */
  at: string
  bytes: number
}

export interface RunLink {
  run_id: RunId
  /** What it was to do; its first line is kept. */
  task: string
  /** `running` until it ended. */
  status: string
  /** ISO time. */
  at: string
}

/** What was made, and what was left as it is because it is not ours to change. Paths from the project's folder. */
export interface ProjectReport {
  created: string[]
  kept: string[]
  problems: string[]
}

/**
 * CONTEXT.md, filepaths.json, runs/ and deliverables/ below `.conclave`. Nothing that a person or agent wrote there is
 * ever overwritten; what cannot be done is said in the result. Never throws.
 */
export interface ProjectWorkspace {
  /** Makes what is missing. */
  ensure(): Promise<ProjectReport>
  /** Notes a run and where its log is; again when its status changes. */
  linkRun(run: RunLink): Promise<{ path: string } | { problem: string }>
  /** Stores a result under this name, or one like it where that is taken. */
  addDeliverable(result: {
    run_id: RunId
    name: string
    bytes: Uint8Array
    at: string
  }): Promise<{ path: string; problem?: string } | { problem: string }>
  /** Notes the origin of a result that is there already. */
  noteDeliverable(result: {
    run_id: RunId
    path: string
    at: string
  }): Promise<{ path: string } | { problem: string }>
}
