import { useContext } from 'react'
import { neutralize } from '../../view/neutralize.ts'
import type { TurnId } from '../../schema/ids.ts'
import type { ToolCallItem } from '../../view/transcript-item.ts'
import { TranscriptToolsContext } from '../parts/transcript-tools.ts'

/** The sub-agents of a call, each with a way to what it said and did. */
export function SubAgents({ item: { child, subtasks = [] } }: { item: ToolCallItem }) {
  const own = child?.startsWith('turn_') ? (child as TurnId) : undefined
  if (!own && subtasks.length === 0) return null
  return (
    <ul className="subtasks">
      {own && (
        <li>
          a sub-agent <Steps turn={own} of="the sub-agent" />
        </li>
      )}
      {subtasks.map(({ id, task, status, turn_id }) => (
        <li key={id}>
          {neutralize(task)} <span className="muted small">{status}</span>{' '}
          {turn_id && <Steps turn={turn_id} of={neutralize(task)} />}
        </li>
      ))}
    </ul>
  )
}

function Steps({ turn, of }: { turn: TurnId; of: string }) {
  const { openChild } = useContext(TranscriptToolsContext)
  return (
    <button type="button" className="button bare small" onClick={() => openChild(turn)}>
      Steps<span className="hidden-words"> of {of}</span>
    </button>
  )
}
