import type { Client, Roster } from '../client/client.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { ChatId } from '../schema/ids.ts'
import type { ThemeName } from './draw/theme.ts'

/** What the terminal needs of the program around it. The command line puts it together. */
export interface Host {
  client: Client
  roster: Roster
  /** What the person should know about this start. */
  notices: readonly string[]
  /** Files of the folder, as they are written in a prompt. */
  files(): Promise<string[]>
  /** Runs a command line of the person, as `!command` asks. */
  shell(line: string, signal: AbortSignal): Promise<{ output: string; code: number | null }>
  /** Earlier prompts, oldest first. */
  history(): Promise<string[]>
  remember(prompt: string): void
  /** The theme the person chose; undefined: as the terminal's background is. */
  theme: {
    read(): Promise<ThemeName | undefined>
    keep(theme: ThemeName | undefined): void
  }
  branch(): Promise<string | undefined>
  /** `/commands` of the person: texts by name. */
  commands(): Promise<ReadonlyMap<string, string>>
  /** The config: where it is, what is in it with keys hidden, and what is wrong with it. */
  config(): Promise<ConfigText>
  /** The MCP servers of this start, and what they offer. */
  mcp(): McpReport
  /** Takes back what the last turn changed; says what it did. */
  undo(chat: ChatId): Promise<string>
  /** The chat as Markdown. */
  transcript(chat: ChatId): Promise<string>
}

export interface ConfigText {
  /** Null when there is none. */
  file: string | null
  source: string
  problems: readonly { line: number; column: number; message: string; suggestion?: string }[]
}

export interface McpReport {
  servers: readonly string[]
  tools: readonly { name: string; read_only: boolean }[]
  problems: readonly string[]
}

/** How to begin. */
export interface Beginning {
  folder: string
  /** Sent as soon as everything is ready. */
  prompt?: string
  /** Files of pictures that go with it; without a prompt they are put into the input. */
  pictures?: readonly string[]
  config: Partial<ChatConfig>
  color: boolean
  alternate_screen: boolean
  /** The transcript is left in the terminal's scrollback. */
  leave_transcript: boolean
}

/** What `boot` comes to. */
export interface Booted {
  host: Host
  /** The chat to go on with. */
  chat?: ChatId
}
