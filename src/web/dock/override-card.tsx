import { useEffect, useRef, useState } from 'react'
import type { Pending, PendingAnswer } from '../../schema/pending.ts'
import { OverrideDialog } from '../dialogs/override-dialog.tsx'

interface Props {
  pending: Extract<Pending, { kind: 'override' }>
  onAnswer: (answer: PendingAnswer) => void
  onDiff: (label: string) => void
}

/** After the vote: go on with the winner, or let somebody else present. */
export function OverrideCard({ pending, onAnswer, onDiff }: Props) {
  const [open, setOpen] = useState(false)
  const { candidates, winner, margin, tie } = pending
  const usual = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Whoever is writing would decide with the next space.
    if (!isWriting()) usual.current?.focus()
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey && event.key === 'o')) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <section className="card approval" aria-label="The vote is over">
      <header className="card-head">
        <h2>{winner} wins the vote</h2>
        <span className="chip push">{tie ? 'a tie' : `margin ${margin}`}</span>
      </header>
      <p className="small muted">
        Votes: {candidates.map(({ agent, votes }) => `${agent} ${votes}`).join(' · ')}
      </p>
      <p>Press Ctrl+O to override, Enter to continue</p>
      <div className="buttons">
        <button
          type="button"
          className="button main"
          ref={usual}
          onClick={() => onAnswer({ kind: 'override', decision: 'continue' })}
        >
          Continue
        </button>
        <button type="button" className="button" onClick={() => setOpen(true)}>
          Override …
        </button>
      </div>
      {open && (
        <OverrideDialog
          pending={pending}
          onAnswer={onAnswer}
          onDiff={onDiff}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

const isWriting = (): boolean => {
  const active = document.activeElement
  return (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) && active.value !== ''
}
