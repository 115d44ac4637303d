export type ChatId = `chat_${string}`
export type RunId = `run_${string}`
export type TurnId = `turn_${string}`

/** One ordered log. Every chat, run and turn has its own. */
export type StreamId = ChatId | RunId | TurnId

export const isRunId = (id: StreamId): id is RunId => id.startsWith('run_')
export const isTurnId = (id: StreamId): id is TurnId => id.startsWith('turn_')
