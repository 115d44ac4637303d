import type { RunId } from '../schema/ids.ts'
import type { FileChange, WrittenFile } from '../schema/observation.ts'
import type { Files, Refused } from './files.ts'

/**
 * Private copies of the user's folder, one for each agent of a run. The user's folder is only read, until `apply`.
 * What the world does comes back as a refusal.
 */
export interface Workspaces {
  /**
   * The same key gives the same workspace, also after a crash. The first one of a run copies the folder as it is then;
   * all others start from that copy.
   */
  open(request: WorkspaceRequest): Promise<Workspace | Refused>
  /** For an agent's file tools: a file that workspaces share becomes its own before it is written. */
  own(files: Files): Files
  /** Freezes what is there now. A label that was used before gives the snapshot of then. */
  snapshot(workspace: Workspace, label: string): Promise<Snapshot | Refused>
  /** The snapshot of an earlier process. */
  find(run_id: RunId, label: string): Promise<Snapshot | undefined>
  /** Against what the agents started from; cut at `max_characters`, and then it says so. */
  diff(snapshot: Snapshot, max_characters?: number): Promise<string>
  /**
   * Puts the changes into the user's folder. A file that is not as it was when the run began is left alone and reported,
   * with all versions kept below `conflicts`. After a crash the same call finishes the work and reports all of it.
   */
  apply(snapshot: Snapshot, request: ApplyRequest): Promise<Applied | Refused>
  /** Makes a workspace hold what the snapshot of another agent holds. Its own unfrozen work is gone. */
  reset(workspace: Workspace, to: Snapshot): Promise<Workspace | Refused>
  /** Removes everything of a run but the named snapshots. Need not be waited for: it is out of sight at once. */
  close(run_id: RunId, keep: 'nothing' | readonly string[]): Promise<void>
  /**
   * Removes what dead processes left and nobody will resume, and kept snapshots after a month. `resumable` are the runs
   * that may still go on. Returns how many runs were removed.
   */
  sweep(resumable: ReadonlySet<RunId>): Promise<number>
}

export interface WorkspaceRequest {
  run_id: RunId
  agent_id: string
  folder: string
  /** How many workspaces the run will have: it decides how much each may copy. The first `open` of a run counts. */
  agents?: number
}

export interface Workspace {
  run_id: RunId
  agent_id: string
  /** The folder to work in. */
  path: string
  /** The user's folder it is a copy of. */
  folder: string
  /** Files that all workspaces of the run share, read-only: to be replaced, not changed in place. Mostly none. */
  shared_files: number
  /** Installed dependencies that are links to the user's own; a sandbox lets them be read only. */
  linked: string[]
  /** Outside of it and absolute: what its links and its Git read. */
  needs?: string[]
}

export interface Snapshot {
  run_id: RunId
  agent_id: string
  label: string
  /** A folder with all files; to be mounted read-only for peers. */
  path: string
  changes: Changes
  /** What a person or a peer should know, such as files that were left out. */
  notes: string[]
}

export interface Changes {
  /** Sorted by path. */
  files: ChangedFile[]
  added: number
  removed: number
}

export interface ChangedFile {
  path: string
  change: FileChange
  /** Lines; null when it is not text. */
  added: number | null
  removed: number | null
}

export interface ApplyRequest {
  /** The user's folder; the one the run began with. */
  folder: string
  /** Where versions that could not be put into the folder are kept. */
  conflicts: string
  /** Not to be written: paths, and why. */
  leave?: ReadonlyMap<string, string>
}

export interface Applied {
  written: WrittenFile[]
  conflicts: Conflict[]
}

export interface Conflict {
  path: string
  change: FileChange
  reason:
    | 'changed' // the user changed, deleted or made it meanwhile
    | 'protected' // nobody but the user writes this file
    | 'link' // a symbolic link is not put into the user's folder
    | 'refused' // the file system did not take it
  /** What happened, and what to do next. */
  message: string
  /** Where the versions are; only those that exist. `merged` when both changes fit together. */
  kept?: { yours?: string; answer?: string; base?: string; merged?: string }
}

/** Finds what was written to the context paths while writing there was allowed. */
export interface WriteTracker {
  /**
   * Looks at every file in the paths and keeps what it saw in the file `record`, no contents. When the record is there
   * already, a process before this one looked, and that counts.
   */
  begin(request: { paths: readonly string[]; record: string }): Promise<Refused | undefined>
  /** Compares. With many writes the full list is in `log_dir`. Paths inside `folder` are given from there. */
  end(request: { record: string; log_dir: string; folder: string }): Promise<TrackedWrites | Refused>
}

export interface TrackedWrites {
  writes: WrittenFile[]
  /** To stand below the final answer; absent when nothing was written. */
  footer?: string
}
