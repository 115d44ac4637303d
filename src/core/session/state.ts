import type { ChatConfig } from '../../schema/chat-config.ts'
import type { ChatId, TurnId } from '../../schema/ids.ts'
import type { Message } from '../../schema/message.ts'
import type { Grant } from '../../schema/permission.ts'
import type { TurnOutcome, TurnSettings } from '../../schema/turn-event.ts'
import type { List } from '../list.ts'

export interface SessionState {
  chat_id: ChatId
  title: string
  folder: string
  config: ChatConfig
  /** Something about the stored chat that a person should know. */
  warning?: string
  messages: List<Message>
  /** Turns that are over, oldest first: their logs are the conversation the next turn goes on from. */
  turns: List<TurnId>
  open_turn: OpenTurn | null
  /** What the person allowed for the rest of this chat. */
  grants: readonly Grant[]
  last_outcome?: TurnOutcome
}

export interface OpenTurn {
  turn_id: TurnId
  agent_id: string
  prompt: string
  settings: TurnSettings
}

export const initialSession: SessionState = {
  chat_id: 'chat_',
  title: '',
  folder: '',
  config: { agent_mode: 'Act' },
  messages: null,
  turns: null,
  open_turn: null,
  grants: [],
}
