import type { TallyLine } from '../../schema/coordination.ts'
import { plural } from '../parts/words.ts'

/** The votes as bars. */
export function VoteChart({ tally, winner }: { tally: readonly TallyLine[]; winner: string | null }) {
  const most = Math.max(1, ...tally.map(({ votes }) => votes))
  return (
    <ul className="votes" aria-label="Votes">
      {tally.map(({ agent, votes }) => (
        <li key={agent} className={agent === winner ? 'vote-line winner' : 'vote-line'}>
          <span className="vote-name" title={agent}>
            {agent}
          </span>
          <span className="vote-track" aria-hidden="true">
            <span className="vote-bar" style={{ width: `${(votes / most) * 100}%` }} />
          </span>
          <span className="vote-count" aria-label={plural(votes, 'vote')}>
            {votes}
          </span>
        </li>
      ))}
    </ul>
  )
}
