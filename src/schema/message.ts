import type { RunId, TurnId } from './ids.ts'
import type { Picture } from './picture.ts'

export type MessageType = 'Text' | 'Plan' | 'Question' | 'ToolCall' | 'ToolResult'

/** One message of a chat, as people see it. */
export interface Message {
  id: string
  role: 'user' | 'agent'
  message_type: MessageType
  text: string
  pictures?: Picture[]
  agent_id?: string
  turn_id?: TurnId
  run_id?: RunId
  /** The pending a Question or ToolCall message is about. */
  pending_id?: string
  /** The plan that a Plan message proposes. */
  plan?: { plan_id: string; revision: number }
}
