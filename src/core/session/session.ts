import { type ChatConfig, type ChatMode, readChatConfig } from '../../schema/chat-config.ts'
import type { ChatId, TurnId } from '../../schema/ids.ts'
import type { Message } from '../../schema/message.ts'
import type { Grant } from '../../schema/permission.ts'
import type { SessionEvent } from '../../schema/session-event.ts'
import type { TurnOutcome, TurnSettings } from '../../schema/turn-event.ts'
import { type Aggregate, type Rejected, reject } from '../aggregate.ts'
import { append, lengthOf } from '../list.ts'
import { type OpenTurn, type SessionState, initialSession } from './state.ts'

export type SessionInput =
  | { type: 'create'; chat_id: ChatId; folder: string; title: string; config: ChatConfig; fork?: Fork }
  | {
      type: 'send_message'
      text: string
      agent_id: string
      turn_id: TurnId
      settings: Omit<TurnSettings, 'mode'>
    }
  | {
      type: 'turn_ended'
      turn_id: TurnId
      agent_id: string
      outcome: TurnOutcome
      answer: string
      grants: readonly Grant[]
    }
  | { type: 'set_agent_mode'; agent_mode: ChatMode }

export interface Fork {
  chat_id: ChatId
  turns: TurnId[]
  messages: Message[]
}

export type SessionEffect = { key: string; type: 'run_turn' } & OpenTurn

/** A chat: what was said, in which mode, and the turn that is under way. */
export const session: Aggregate<SessionState, SessionInput, SessionEvent, SessionEffect> = {
  initial: initialSession,
  decide,
  evolve,
  effects: ({ open_turn }) => (open_turn ? [{ key: open_turn.turn_id, type: 'run_turn', ...open_turn }] : []),
}

function decide(state: SessionState, input: SessionInput): SessionEvent[] | Rejected {
  const exists = state.chat_id !== initialSession.chat_id
  if (input.type === 'create') return exists ? reject(`${state.chat_id} exists already`) : create(input)
  if (!exists) return reject('there is no such chat')
  switch (input.type) {
    case 'send_message': {
      if (!input.text.trim()) return reject('the message is empty')
      if (state.open_turn) return reject('the agent is still working; interrupt it or wait')
      const { turn_id, agent_id, text } = input
      const settings = { ...input.settings, mode: state.config.agent_mode, grants: [...state.grants] }
      return [
        said(state, { role: 'user', text, turn_id }),
        { type: 'turn.opened', turn_id, agent_id, prompt: text, settings },
      ]
    }
    case 'turn_ended': {
      const { turn_id, agent_id, outcome, answer, grants } = input
      if (state.open_turn?.turn_id !== turn_id) return reject(`${turn_id} is not under way in this chat`)
      const granted: SessionEvent[] =
        grants.length > 0 ? [{ type: 'permission.granted', grants: [...grants] }] : []
      return [
        said(state, { role: 'agent', text: answer, agent_id, turn_id }),
        ...granted,
        { type: 'turn.closed', turn_id, outcome },
      ]
    }
    case 'set_agent_mode':
      if (state.open_turn) return reject('the mode cannot change while the agent works; interrupt it first')
      if (state.config.agent_mode === input.agent_mode) return []
      return [{ type: 'chat_config.changed', config: { ...state.config, agent_mode: input.agent_mode } }]
  }
}

function create({
  chat_id,
  folder,
  title,
  config,
  fork,
}: Extract<SessionInput, { type: 'create' }>): SessionEvent[] {
  const created: SessionEvent = { type: 'chat.created', chat_id, title, folder, config }
  if (!fork) return [created]
  return [
    { ...created, forked_from: { chat_id: fork.chat_id, turns: fork.turns } },
    ...fork.messages.map((message): SessionEvent => ({ type: 'message.added', message })),
  ]
}

function said(state: SessionState, message: Omit<Message, 'id' | 'message_type'>): SessionEvent {
  const id = `m${lengthOf(state.messages) + 1}`
  return { type: 'message.added', message: { id, message_type: 'Text', ...message } }
}

function evolve(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'chat.created': {
      const { chat_id, title, folder, forked_from } = event
      return {
        ...state,
        chat_id,
        title,
        folder,
        ...readChatConfig(event.config),
        turns: (forked_from?.turns ?? []).reduce(append<TurnId>, state.turns),
      }
    }
    case 'chat_config.changed':
      return { ...state, warning: undefined, ...readChatConfig(event.config) }
    case 'message.added':
      return {
        ...state,
        messages: append(state.messages, {
          ...event.message,
          message_type: event.message.message_type ?? 'Text',
        }),
      }
    case 'turn.opened': {
      const { turn_id, agent_id, prompt, settings } = event
      return { ...state, open_turn: { turn_id, agent_id, prompt, settings } }
    }
    case 'permission.granted':
      return { ...state, grants: [...state.grants, ...event.grants] }
    case 'turn.closed':
      return {
        ...state,
        open_turn: null,
        last_outcome: event.outcome,
        turns: append(state.turns, event.turn_id),
      }
  }
}
