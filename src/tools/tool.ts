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
}

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
  /** Ends what calls of this chat left running and could still change something. Asked when it goes into Plan mode. */
  endWork?(chat: ChatId): Promise<void>
}

export interface ToolDefinition<S extends ObjectSchema> extends Omit<Partial<ToolTraits>, 'name'> {
  name: string
  description: string
  input: S
  access?(input: InputOf<S>, folder: string): Access[] | Promise<Access[]>
  run(input: InputOf<S>, context: ToolContext): Promise<ToolResult>
  endWork?(chat: ChatId): Promise<void>
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
