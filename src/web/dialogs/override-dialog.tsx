import { type SubmitEvent, useState } from 'react'
import type { Pending, PendingAnswer } from '../../schema/pending.ts'
import { neutralize } from '../../view/neutralize.ts'
import { Dialog } from '../parts/dialog.tsx'
import { plural } from '../parts/words.ts'
import { EvidenceMarks } from '../team/evidence-marks.tsx'

interface Props {
  pending: Extract<Pending, { kind: 'override' }>
  onAnswer: (answer: PendingAnswer) => void
  onDiff: (label: string) => void
  onClose: () => void
}

/** All candidates with the beginnings of their answers; the chosen one presents. */
export function OverrideDialog({ pending, onAnswer, onDiff, onClose }: Props) {
  const [chosen, setChosen] = useState(pending.winner)
  const present = (event: SubmitEvent): void => {
    event.preventDefault()
    onAnswer(
      chosen === pending.winner
        ? { kind: 'override', decision: 'continue' }
        : { kind: 'override', decision: 'present', agent: chosen },
    )
  }
  return (
    <Dialog title="Override the winner" onClose={onClose}>
      <form className="override" onSubmit={present}>
        <fieldset className="candidates">
          <legend className="hidden-words">Who presents</legend>
          {pending.candidates.map(({ agent, label, votes, preview, evidence, files, added, removed }) => (
            <div key={agent} className="candidate">
              <label className="candidate-choice">
                <input
                  type="radio"
                  name="candidate"
                  data-first={agent === pending.winner}
                  checked={chosen === agent}
                  onChange={() => setChosen(agent)}
                />
                <span>
                  <strong>{agent}</strong>{' '}
                  <span className="muted">
                    ({agent === pending.winner ? 'winner, ' : ''}
                    {plural(votes, 'vote')})
                  </span>{' '}
                  <EvidenceMarks evidence={evidence} />{' '}
                  {files > 0 && (
                    <span className="mono small">
                      +{added} −{removed}
                    </span>
                  )}
                  <span className="preview">{neutralize(preview)}</span>
                </span>
              </label>
              <button type="button" className="button bare small" onClick={() => onDiff(label)}>
                {files > 0 ? 'Diff' : 'Answer'}
                <span className="hidden-words"> of {label}</span>
              </button>
            </div>
          ))}
        </fieldset>
        <div className="buttons">
          <button type="submit" className="button main">
            Present
          </button>
          <button type="button" className="button" onClick={onClose}>
            Back
          </button>
        </div>
      </form>
    </Dialog>
  )
}
