import { type SubmitEvent, useState } from 'react'
import type { LaunchCard, Pending, PendingAnswer } from '../../schema/pending.ts'
import { neutralize } from '../../view/neutralize.ts'

interface Props {
  pending: Extract<Pending, { kind: 'run_approval' }>
  onAnswer: (answer: PendingAnswer) => void
}

/** An agent wants to launch a run: approve it, change it, or not. */
export function RunApprovalCard({ pending, onAnswer }: Props) {
  const [editing, setEditing] = useState(false)
  const { launch, hash } = pending
  if (editing) return <LaunchEditor launch={launch} onAnswer={onAnswer} onBack={() => setEditing(false)} />
  return (
    <section className="card approval" aria-label="Launch a run?">
      <h2>Launch a run?</h2>
      <dl className="facts">
        <dt>Task</dt>
        <dd>{neutralize(launch.task)}</dd>
        {launch.context && (
          <>
            <dt>Context</dt>
            <dd>{neutralize(launch.context)}</dd>
          </>
        )}
        <dt>Agents</dt>
        <dd>
          {launch.agents.join(', ')} · {launch.team_mode} · refinement {launch.refinement ? 'on' : 'off'}
          {launch.planning_mode && ' · planning only'}
        </dd>
        <dt>Then execute</dt>
        <dd>{launch.execute_after_planning ? 'yes, the winning plan' : 'no'}</dd>
        <dt>Estimate</dt>
        <dd>{estimateWords(launch.estimate)}</dd>
      </dl>
      <div className="buttons">
        <button
          type="button"
          className="button main"
          onClick={() => onAnswer({ kind: 'run_approval', decision: 'approve', hash })}
        >
          Approve
        </button>
        <button
          type="button"
          className="button"
          onClick={() => onAnswer({ kind: 'run_approval', decision: 'approve', hash, background: true })}
        >
          In the background
        </button>
        <button type="button" className="button" onClick={() => setEditing(true)}>
          Edit
        </button>
        <button
          type="button"
          className="button"
          onClick={() => onAnswer({ kind: 'run_approval', decision: 'cancel' })}
        >
          Cancel
        </button>
      </div>
    </section>
  )
}

function estimateWords({ calls, tokens, usd }: LaunchCard['estimate']): string {
  const range = ([low, high]: [number, number], show: (value: number) => string = String): string =>
    low === high ? show(low) : `${show(low)}–${show(high)}`
  const thousands = (count: number): string => (count < 1000 ? String(count) : `${Math.round(count / 1000)}k`)
  const cost = usd ? `$${range(usd, (value) => value.toFixed(2))}` : 'cost unknown'
  return `about ${range(calls)} calls, ${range(tokens, thousands)} tokens, ${cost} (estimate)`
}

interface EditorProps {
  launch: LaunchCard
  onAnswer: (answer: PendingAnswer) => void
  onBack: () => void
}

function LaunchEditor({ launch, onAnswer, onBack }: EditorProps) {
  const [task, setTask] = useState(launch.task)
  const [context, setContext] = useState(launch.context ?? '')
  const [agents, setAgents] = useState(launch.agents)
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    onAnswer({ kind: 'run_approval', decision: 'edit', edited: { task, context, agents } })
  }
  return (
    <form className="card approval" aria-label="Change the run" onSubmit={submit}>
      <h2>Change the run</h2>
      <label>
        Task
        <textarea className="field" value={task} onChange={({ target }) => setTask(target.value)} />
      </label>
      <label>
        Context
        <textarea className="field" value={context} onChange={({ target }) => setContext(target.value)} />
      </label>
      <fieldset className="choices">
        <legend>Agents</legend>
        {launch.agents.map((agent) => (
          <label key={agent} className="check">
            <input
              type="checkbox"
              checked={agents.includes(agent)}
              onChange={({ target }) =>
                setAgents(launch.agents.filter((id) => (id === agent ? target.checked : agents.includes(id))))
              }
            />
            {agent}
          </label>
        ))}
      </fieldset>
      <div className="buttons">
        <button type="submit" className="button main" disabled={task.trim() === '' || agents.length === 0}>
          Launch this
        </button>
        <button type="button" className="button" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  )
}
