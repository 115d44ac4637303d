import { useId, useState } from 'react'
import type { Pending, PendingAnswer } from '../../schema/pending.ts'
import { neutralize } from '../../view/neutralize.ts'
import { ToolInput } from '../cards/tool-input.tsx'

interface Props {
  pending: Extract<Pending, { kind: 'tool_approval' }>
  agent: string
  onAnswer: (answer: PendingAnswer) => void
}

/** Somebody wants to do something: exactly this, once, always, or not. */
export function ApprovalCard({ pending, agent, onAnswer }: Props) {
  const [reason, setReason] = useState<string>()
  const id = useId()
  const { call, hash, severity, always } = pending
  const notes = (call.access ?? []).flatMap((access) => (access.kind === 'command' ? access.notes : []))
  const decide = (decision: 'once' | 'always') => () => onAnswer({ kind: 'tool_approval', decision, hash })
  const deny = (): void =>
    onAnswer({
      kind: 'tool_approval',
      decision: 'deny',
      hash,
      ...(reason?.trim() && { reason: reason.trim() }),
    })
  return (
    <section
      className={`card approval ${severity}`}
      data-card="ToolCallCard"
      data-severity={severity}
      aria-label="Approval"
    >
      <header className="card-head">
        <h2>
          {agent} wants to use <code>{neutralize(call.name)}</code>
        </h2>
        <span className="chip severity push">{severity}</span>
      </header>
      <ToolInput call={call} />
      {[...new Set([...notes, pending.reason])].map((note) => (
        <p key={note} className="small muted">
          {neutralize(note)}
        </p>
      ))}
      {always.length > 0 && (
        <p className="small muted">
          always means exactly {always.map(({ resource }) => `"${neutralize(resource)}"`).join(', ')} in this
          chat
        </p>
      )}
      {reason !== undefined && (
        <>
          <label className="hidden-words" htmlFor={id}>
            Why not
          </label>
          <input
            id={id}
            className="field"
            placeholder="No, because …"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            onKeyDown={({ key }) => key === 'Enter' && deny()}
          />
        </>
      )}
      <div className="buttons">
        <button type="button" className="button main" onClick={decide('once')}>
          Yes, once
        </button>
        {always.length > 0 && (
          <button type="button" className="button" onClick={decide('always')}>
            Yes, always
          </button>
        )}
        <button type="button" className="button" onClick={deny}>
          No
        </button>
        {reason === undefined && (
          <button type="button" className="button bare" onClick={() => setReason('')}>
            No, because …
          </button>
        )}
      </div>
    </section>
  )
}
