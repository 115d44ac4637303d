import type { RunId, TurnId } from '../../schema/ids.ts'
import type { ToolCall } from '../../schema/turn-event.ts'
import { lengthOf } from '../list.ts'
import { isOver } from './phases.ts'
import type { Subtask, TurnState } from './state.ts'

export type TurnEffect =
  | { key: string; type: 'call_model'; purpose: 'plan' | 'reflect' }
  | { key: string; type: 'summarize'; before: number }
  | {
      key: string
      type: 'run_tool'
      call: ToolCall
      read_only: boolean
      confined?: boolean
      child?: TurnId | RunId
      background?: boolean
    }
  | { key: string; type: 'run_subtask'; call_id: string; subtask: Subtask; turn_id: TurnId }

export function effects(state: TurnState): TurnEffect[] {
  if (isOver(state.phase)) return []
  const calls = state.open.flatMap((open): TurnEffect[] => {
    if (!open.subtasks) {
      return [
        {
          key: `tool:${open.call.id}`,
          type: 'run_tool',
          call: open.call,
          read_only: open.read_only,
          confined: open.confined,
          child: open.child,
          background: open.background,
        },
      ]
    }
    return open.subtasks.flatMap((subtask): TurnEffect[] =>
      subtask.status === 'running' && subtask.turn_id
        ? [
            {
              key: `turn:${subtask.turn_id}`,
              type: 'run_subtask',
              call_id: open.call.id,
              subtask,
              turn_id: subtask.turn_id,
            },
          ]
        : [],
    )
  })
  if (state.compacting) {
    return [
      ...calls,
      { key: `summary:${state.squeezes}`, type: 'summarize', before: state.compacting.before },
    ]
  }
  const purpose = awaitedReply(state)
  return purpose
    ? [...calls, { key: `model:${lengthOf(state.entries)}`, type: 'call_model', purpose }]
    : calls
}

/** What the model is to be asked now, if anything. */
export function awaitedReply(state: TurnState): 'plan' | 'reflect' | null {
  if (state.external) return 'plan'
  if (state.queue.length > 0 || state.open.length > 0 || state.pendings.length > 0 || state.compacting)
    return null
  if (state.phase === 'Planning') return 'plan'
  return state.phase === 'Reflecting' && state.reflecting ? 'reflect' : null
}
