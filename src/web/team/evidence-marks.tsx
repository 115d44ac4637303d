import type { EvidenceResult } from '../../schema/coordination.ts'

interface Props {
  evidence: readonly { name: string; status: EvidenceResult['status'] }[]
}

/** What the commands said of a candidate, each in a mark and its name. */
export function EvidenceMarks({ evidence }: Props) {
  return (
    <span className="evidence">
      {evidence.map(({ name, status }) => (
        <span key={name} className={`proof ${status}`} title={`${name}: ${status}`}>
          <span aria-hidden="true">{marks[status]}</span> {name}
          <span className="hidden-words"> {status}</span>
        </span>
      ))}
    </span>
  )
}

const marks: Record<EvidenceResult['status'], string> = {
  passed: '✔',
  failed: '✖',
  timeout: '⌛',
  unavailable: '–',
}
