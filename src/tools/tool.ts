import type { Files } from '../ports/files.ts'
import type { Shell } from '../ports/shell.ts'
import type { Access } from '../schema/access.ts'
import type { ChatId } from '../schema/ids.ts'
import type { WrittenFile } from '../schema/observation.ts'
import type { Usage } from '../schema/usage.ts'
import type { ToolTraits } from '../schema/turn-event.ts'
import type { ForeignSchema, InputOf, ObjectSchema } from './input-schema.ts'

/** What the engine gives a running tool. */
export interface ToolContext {
  files: Files
  shell: Shell
  signal: AbortSignal
  /** The call may change nothing: the tool must run it where the kernel sees to that, or refuse. */
  confined: boolean
  /** Whose call it is: what outlives the call belongs to this chat. */
  chat_id?: ChatId
  /** The files this chat's agents know: path to the fingerprint at the last read or own write. */
  seen?: Map<string, string>
  /** Output to show while the tool still runs. */
  onOutput: (text: string) => void
  /** Runs a read-only sub-agent and returns its summary. */
  explore: (question: string) => Promise<ToolResult>
  /** The call this is, so that doing it again after a crash can be told from doing it twice. */
  call_id: string
  /** Launches a run of the team behind this agent. */
  launch?: (input: Record<string, unknown>) => Promise<ToolResult>
  /** Puts a question to the other agents of the team, and gives their replies. */
  ask?: (question: string) => Promise<ToolResult>
  /** Answers or votes in the team this turn is part of. */
  coordinate?: (act: TeamAct) => Promise<ToolResult>
}

export type TeamAct =
  | { kind: 'answer'; call_id: string; text: string }
  | { kind: 'vote'; call_id: string; choice: string; reason: string }

export interface ToolResult {
  success: boolean
  /** What the model reads. */
  output: string
  files?: WrittenFile[]
  /** What a sub-agent used. */
  usage?: Usage
}

export interface Tool extends ToolTraits {
  description: string
  input: ObjectSchema | ForeignSchema
  /** What a call would touch; asked before it is authorised. */
  access?(input: Record<string, unknown>, folder: string): Access[] | Promise<Access[]>
  /** Never throws for what the world does: a failure is a result the model can read. */
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolResult>
  /**
   * Ends what calls of this chat left running and could still change something, in one folder or in all. Asked when the
   * chat goes into Plan mode, and when an agent's turn in a copy is over.
   */
  endWork?(chat: ChatId, folder?: string): Promise<void>
}

export interface ToolDefinition<S extends ObjectSchema> extends Omit<Partial<ToolTraits>, 'name'> {
  name: string
  description: string
  input: S
  access?(input: InputOf<S>, folder: string): Access[] | Promise<Access[]>
  run(input: InputOf<S>, context: ToolContext): Promise<ToolResult>
  endWork?(chat: ChatId, folder?: string): Promise<void>
}

/** A tool can change things unless it says otherwise. */
export function defineTool<const S extends ObjectSchema>(definition: ToolDefinition<S>): Tool {
  return {
    read_only: false,
    ...definition,
    run: (input, context) => definition.run(input as InputOf<S>, context),
  }
}

export const failed = (output: string): ToolResult => ({ success: false, output })
