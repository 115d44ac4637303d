import type { Correction } from './evidence.ts'
import { firstLine } from './seen-file.ts'

/** What became of the person's corrections, for the summary. */
export function describeCorrections(corrections: readonly Correction[], scope: string): string {
  return corrections
    .map(({ text, understood }) =>
      understood
        ? `Followed your correction "${firstLine(text)}"${scope && `: ${scope}`}.`
        : `I could not use your correction "${firstLine(text)}".`,
    )
    .join('\n')
}
