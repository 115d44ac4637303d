import { useState } from 'react'
import type { Command } from '../../schema/command.ts'
import type { ModeToggle } from '../../view/mode-bar.ts'
import { Dialog } from '../parts/dialog.tsx'

interface Props {
  toggles: readonly ModeToggle[]
  locked: boolean
  onCommand: (command: Command) => void
}

/** The same toggles in the same order as in the terminal. Locked while agents work; only replanning may stop them. */
export function ModeBar({ toggles, locked, onCommand }: Props) {
  const [asking, setAsking] = useState<ModeToggle['confirm']>(null)
  const confirm = toggles.find((toggle) => toggle.confirm !== null)?.confirm ?? null
  return (
    <div className="mode-bar" role="toolbar" aria-label="Modes">
      {toggles.map(({ id, label, description, on, enabled, reason, command }) => (
        <button
          key={id}
          type="button"
          className={id === 'plan' ? 'toggle mode' : 'toggle'}
          aria-pressed={on}
          disabled={!enabled || !command}
          title={reason ? `${description} (${reason})` : description}
          onClick={() => command && onCommand(command)}
        >
          {label}
        </button>
      ))}
      {locked && <span className="muted small">locked while agents work</span>}
      {confirm && (
        <button type="button" className="button bare small push" onClick={() => setAsking(confirm)}>
          Stop and plan …
        </button>
      )}
      {asking && (
        <Dialog title={asking.question} onClose={() => setAsking(null)}>
          <p>Work in progress will stop. What was written so far stays.</p>
          <div className="buttons">
            <button
              type="button"
              className="button main"
              onClick={() => {
                onCommand(asking.command)
                setAsking(null)
              }}
            >
              Stop and switch to Plan
            </button>
            <button type="button" className="button" onClick={() => setAsking(null)}>
              Go on working
            </button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
