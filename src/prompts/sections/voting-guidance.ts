import type { CoordinationFacts } from './coordination.ts'

/** When to choose an answer, and when to give a better one. */
export function votingGuidance({
  skip_voting,
  voting_sensitivity,
}: Pick<CoordinationFacts, 'skip_voting' | 'voting_sensitivity'>): string {
  if (skip_voting) return ''
  return `New answer or vote:
- ${thresholds[voting_sensitivity]}
- Evidence counts more than claims: failed checks weigh more than fine words, and of two that work the smaller change is better. Read the files of a candidate when its text leaves doubts.
- Your own answers are listed like the others and count no more than they.
- A new answer must be better than every listed one: take over what is good in them, and say what is better now.
- The reason of a vote is one or two sentences that name what decided it.`
}

const thresholds: Record<CoordinationFacts['voting_sensitivity'], string> = {
  lenient:
    'Vote as soon as a listed answer does what was asked, even if you would have done it in another way.',
  balanced:
    'Vote when a listed answer does all that was asked and its checks pass; answer anew when you can remove a real shortcoming.',
  strict:
    'Vote only when you looked for shortcomings of the best answer and found none that matters; otherwise answer anew.',
}
