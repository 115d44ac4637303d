import type { Failure } from '../schema/failure.ts'
import type { RunId } from '../schema/ids.ts'
import type { Reach } from '../schema/reach.ts'
import type { Workspaces, WriteTracker } from './workspace.ts'

/** What a team needs beside what one agent does. Put together when the first run begins. */
export interface TeamParts {
  workspaces: Workspaces
  writes: WriteTracker
  /** A file for what the writable places looked like; its folder is there, and goes with the run's workspaces. */
  record(run_id: RunId): Promise<string>
  /**
   * Told before each turn, also when it is gone on with after a crash: what the agent's commands may reach can be
   * different from now on. A failure ends the run.
   */
  beforeTurn?(turn: TeamTurn): Promise<Failure | undefined>
  /** Ends what was kept running for the agents of a run. */
  close?(run_id: RunId): Promise<void>
}

export interface TeamTurn {
  run_id: RunId
  agent_id: string
  reach: Reach
  /** It works in a copy of its own; otherwise in the person's folder. */
  in_copy: boolean
}
