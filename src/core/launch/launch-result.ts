import type { CoordinationSummary, RunStatus } from '../../schema/run-result.ts'
import type { RunState } from '../run/state.ts'
import { summarizeRun } from '../run/summary.ts'
import { clip } from '../turn/observe.ts'

/** Longer answers are handed over as a beginning, an end and a place to read on. */
const LONGEST_ANSWER = 6_000
const MOST_FILES = 100

/** What whoever launched a run is told of it. */
export interface LaunchResult {
  run_id: string
  status: RunStatus
  final_answer: string
  /** Where the whole answer is, when it is too long to be handed over; from the workspace path. */
  full_answer?: string
  workspace_path: string
  files_written: string[]
  coordination_summary: CoordinationSummary
  log?: string
  error?: string
}

/** Long texts become references: whoever needs all of one can read it. */
export function launchResult(run: RunState): LaunchResult {
  const { run_id, finished, folder, log_directory, writes } = run
  const answer = finished?.final_answer ?? ''
  const files = (writes?.files ?? []).map(({ path, change }) => `${path} (${change})`)
  const more = files.length - MOST_FILES
  return {
    run_id,
    status: finished?.status ?? 'failed',
    ...shortened(answer, log_directory),
    workspace_path: folder,
    files_written: more > 0 ? [...files.slice(0, MOST_FILES), `and ${more} more`] : files,
    coordination_summary: summarizeRun(run),
    ...(log_directory && { log: log_directory }),
    ...(finished?.failure && { error: finished.failure.message }),
  }
}

/** An answer as it is passed on, with the place of the whole one where it was cut. */
export function shortened(
  answer: string,
  log: string | undefined,
): Pick<LaunchResult, 'final_answer' | 'full_answer'> {
  if (answer.length <= LONGEST_ANSWER) return { final_answer: answer }
  return {
    final_answer: clip(answer, LONGEST_ANSWER),
    ...(log && { full_answer: `${log}/final_answer.md` }),
  }
}
