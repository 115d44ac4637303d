import type { ReflectionCause, Verdict } from '../../schema/turn-event.ts'
import { findJsonObject } from '../json-in-text.ts'

const verdicts: readonly Verdict[] = ['continue', 'complete', 'needs_person', 'failed']

/**
 * What the model made of its own work. A reply that is no verdict leaves things as they were: a finished turn is
 * finished, a stopped one goes on.
 */
export function readVerdict(text: string, cause: ReflectionCause): { verdict: Verdict; reason: string } {
  const found = findJsonObject(text)
  const verdict = verdicts.find((known) => known === found?.['verdict'])
  const reason = typeof found?.['reason'] === 'string' ? found['reason'] : text.trim().slice(0, 500)
  return { verdict: verdict ?? (cause === 'finished' ? 'complete' : 'continue'), reason }
}
