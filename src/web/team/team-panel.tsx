import { itemsFrom, lengthOf } from '../../core/list.ts'
import type { RunView } from '../../view/run-view.ts'
import { coordinationTable } from '../../view/run-view.ts'
import { clockTime, money, plural } from '../parts/words.ts'
import { EvidenceMarks } from './evidence-marks.tsx'
import { VoteChart } from './vote-chart.tsx'

interface Props {
  run: RunView
  open: boolean
  onClose: () => void
  onDiff: (label: string) => void
}

/** A team at work: who does what, what came of it, how they voted, in which order. */
export function TeamPanel({ run, open, onClose, onDiff }: Props) {
  const rows = coordinationTable(run)
  const voted = run.votes > 0 || run.winner !== null
  const latest = itemsFrom(run.timeline, Math.max(0, lengthOf(run.timeline) - 200)).toReversed()
  return (
    <aside className={open ? 'team open' : 'team'} aria-label="Team">
      <header className="team-head">
        <h2>Team</h2>
        <span className="chip">{run.status === 'working' ? stageWords(run) : run.status}</span>
        <button
          type="button"
          className="button bare push only-narrow"
          onClick={onClose}
          aria-label="Close the team"
        >
          ✕
        </button>
      </header>
      <ul className="agents">
        {rows.map((row) => (
          <li key={row.agent} className={`agent ${row.state}`}>
            <div className="agent-line">
              <strong>{row.agent}</strong>
              {row.is_presenter && <span className="chip">presents</span>}
              {row.is_winner && !row.is_presenter && <span className="chip">winner</span>}
              <span className="push muted small">{row.state}</span>
            </div>
            <div className="agent-line small">
              <EvidenceMarks evidence={row.evidence} />
              {row.diff && row.diff.files > 0 && (
                <span className="mono">
                  +{row.diff.added} −{row.diff.removed}
                </span>
              )}
              <span className="push muted">{money(row.cost_usd ?? undefined)}</span>
            </div>
            {row.answers.length > 0 && (
              <div className="agent-line small">
                {row.answers.map((label) => (
                  <button
                    key={label}
                    type="button"
                    className="button bare small"
                    onClick={() => onDiff(label)}
                  >
                    {label}
                    <span className="hidden-words">, show its changes</span>
                  </button>
                ))}
                {row.voted_for && <span className="push muted">voted {row.voted_for}</span>}
              </div>
            )}
          </li>
        ))}
      </ul>
      {voted && (
        <section className="team-part">
          <h3>
            {run.winner ? `Votes · margin ${run.margin ?? 0}${run.tie ? ' · a tie' : ''}` : 'Votes so far'}
          </h3>
          <VoteChart tally={run.tally} winner={run.winner} />
        </section>
      )}
      {latest.length > 0 && (
        <section className="team-part">
          <h3>Timeline</h3>
          <ol className="timeline">
            {latest.map(({ id, at, agent_id, text, kind }) => (
              <li key={id} className={kind}>
                <time dateTime={at}>{clockTime(at)}</time>
                <span>
                  {agent_id && <strong>{agent_id} </strong>}
                  {text}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <footer className="team-part muted small">
        {plural(run.usage.model_calls, 'call')} · {money(run.usage.cost_usd)}
        {run.budget.max_usd !== undefined && ` of ${money(run.budget.max_usd)}`}
      </footer>
    </aside>
  )
}

function stageWords({ round, answers, votes, agents }: RunView): string {
  return `round ${round} · answers ${answers}/${agents.length} · votes ${votes}`
}
