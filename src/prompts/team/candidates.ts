import type { BallotLine, EvidenceResult } from '../../schema/coordination.ts'

/** What an agent is shown of an answer. */
export interface ShownAnswer {
  id: string
  text: string
  evidence: readonly EvidenceResult[]
  stats: { files: number; added: number; removed: number }
  /** Where its files can be read. */
  path: string | null
  own: boolean
  cost: string
}

/** Candidates as data: nothing in an answer can end its own frame or pass for another one. */
export function renderCandidates(shown: readonly ShownAnswer[]): string {
  return shown.map(renderCandidate).join('\n\n')
}

function renderCandidate({ id, text, evidence, stats, path, own, cost }: ShownAnswer): string {
  const { files, added, removed } = stats
  const facts = [
    own ? 'this is your own answer' : '',
    ...evidence.map(describeEvidence),
    files > 0 ? `changes ${files} file${files === 1 ? '' : 's'} (+${added} −${removed})` : '',
    path === null || files === 0 ? '' : `files under ${path}`,
    cost,
  ].filter(Boolean)
  return [`<candidate id="${id}">`, facts.join(' · '), frame(text), `</candidate>`].filter(Boolean).join('\n')
}

/** Something that looks like our own marks is shown as text. */
const frame = (text: string): string => text.replaceAll(/<(\/?)(?=\s*candidate\b)/gi, '&lt;$1')

function describeEvidence({ name, status, output }: EvidenceResult): string {
  const last = status === 'passed' ? '' : (output.trim().split('\n').at(-1) ?? '')
  return `${name}: ${status}${last ? ` (${frame(last.slice(0, 160))})` : ''}`
}

export const listIds = (ballot: readonly BallotLine[]): string => ballot.map(({ id }) => id).join(', ')
