import type { ChatConfig } from './chat-config.ts'
import type { ChatId, TurnId } from './ids.ts'
import type { Grant } from './permission.ts'
import type { Message } from './message.ts'
import type { TurnOutcome, TurnSettings } from './turn-event.ts'

export type SessionEvent =
  | {
      type: 'chat.created'
      chat_id: ChatId
      title: string
      folder: string
      config: ChatConfig
      /** A fork starts with the finished turns of the chat it came from. */
      forked_from?: { chat_id: ChatId; turns: TurnId[] }
    }
  | { type: 'chat_config.changed'; config: ChatConfig }
  | { type: 'message.added'; message: Message }
  | { type: 'turn.opened'; turn_id: TurnId; agent_id: string; prompt: string; settings: TurnSettings }
  | { type: 'permission.granted'; grants: Grant[] }
  | { type: 'turn.closed'; turn_id: TurnId; outcome: TurnOutcome }
