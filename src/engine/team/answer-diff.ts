import { type RunState, findAnswer } from '../../core/run/state.ts'
import type { EngineParts } from '../parts.ts'
import { logDirectory } from './final.ts'

/** More lines than this nobody compares by eye. */
const MOST_LINES = 20_000

/**
 * What an answer changes, as a unified diff: from its snapshot while the run goes on, from the run's log afterwards.
 * Empty when it changes nothing; undefined when there is no such answer or what it changed is gone.
 */
export async function answerDiff(
  { team, files }: Pick<EngineParts, 'team' | 'files'>,
  state: RunState,
  label: string,
): Promise<string | undefined> {
  const answer = findAnswer(state, label)
  if (!answer) return undefined
  if (answer.snapshot.files === 0) return ''
  const { workspaces } = (await team?.()) ?? {}
  const snapshot = await workspaces?.find(state.run_id, answer.snapshot.id)
  if (workspaces && snapshot) return workspaces.diff(snapshot)
  const path = `${logDirectory(state.run_id)}/answers/${label}.diff`
  const stored = await files(state.folder).read(path, { offset: 0, limit: MOST_LINES })
  return 'refused' in stored ? undefined : stored.text
}
