import type { Access } from '../schema/access.ts'
import type { ChatMode } from '../schema/chat-config.ts'
import type { Failure } from '../schema/failure.ts'

/** What a model is asked. Each request of a turn extends the one before it, so that provider caches hit. */
export interface ModelRequest {
  system: string
  messages: ModelMessage[]
  tools: ModelTool[]
  /** JSON Schema the answer must fit, where the provider can enforce one. */
  output_schema?: Record<string, unknown>
  /** The same for all requests of one conversation; providers route by it to where their cache is warm. */
  cache_key?: string
}

export type ModelMessage =
  | { role: 'user'; text: string; images?: ModelImage[] }
  | {
      role: 'assistant'
      text: string
      reasoning?: string
      calls: { id: string; name: string; input: Record<string, unknown> }[]
      /** What the same provider sent as `metadata` with this reply. */
      metadata?: unknown
    }
  | { role: 'tool'; call_id: string; name: string; output: string; success: boolean }

export interface ModelImage {
  media_type: string
  /** Base64. */
  data: string
}

export interface ModelTool {
  name: string
  description: string
  /** JSON Schema of the input object. */
  parameters: Record<string, unknown>
}

export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** `arguments` is the raw text the model wrote; it may be invalid JSON. `invalid` says why it must not be used. */
  | { type: 'call'; id: string; name: string; arguments: string; invalid?: string }
  /** Something came that is given out later, such as a piece of a call. `size` in characters; nothing is shown. */
  | { type: 'progress'; size: number }
  /** `input_tokens` are all of them; `cached_tokens` and `cache_write_tokens` say how many were cheaper or dearer. */
  | {
      type: 'usage'
      input_tokens: number
      output_tokens: number
      cached_tokens?: number
      cache_write_tokens?: number
      cost_usd?: number
    }
  /** Kept with the reply and given back in later requests. Plain JSON. */
  | { type: 'metadata'; data: unknown }
  | { type: 'retrying'; attempt: number; delay_ms: number; reason: string }
  /** `throttled`: the provider is well, but asked too often. */
  | { type: 'failed'; failure: Failure; throttled?: true }

/** A model never throws: failure is the last part of its stream. An aborted stream just ends. */
export interface Model {
  /** Shown to people: provider and model name. */
  label: string
  /** Tokens that fit into one request and its reply, where known. */
  context_window?: number
  /** It follows rules and understands no free text, so it cannot be asked for a summary. */
  no_prose?: true
  /** It takes no pictures, and is told that there was one. */
  images?: false
  stream(request: ModelRequest, signal: AbortSignal, host?: ModelHost): AsyncIterable<ModelPart>
}

/**
 * What an agent that runs its own tools asks of us. Models proper have no use for it: their calls come as parts and are
 * run by the engine.
 */
export interface ModelHost {
  folder: string
  chat_mode: ChatMode
  /** Asks whether the agent may do this, by our rules and, where they say so, a person. */
  approve(call: ExternalCall): Promise<'allow' | 'deny'>
  /** Records what the agent did. */
  observed(call: ExternalCall & { success: boolean; output: string; duration_ms: number }): Promise<void>
}

/** Something an agent does with tools of its own. */
export interface ExternalCall {
  name: string
  input: Record<string, unknown>
  read_only: boolean
  access: Access[]
}
