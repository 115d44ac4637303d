import type { Grant } from './permission.ts'
import type { Question, Severity } from './question.ts'
import type { ToolCall } from './turn-event.ts'

/**
 * Anything that waits for a person. Plain data in the log, so it survives a restart; any face may answer, the first
 * answer wins.
 */
export type Pending = { id: string } & (
  | {
      kind: 'tool_approval'
      /** Exactly what will run: the log holds the bytes, an approval names them by `hash`. */
      call: ToolCall
      hash: string
      reason: string
      severity: Severity
      /** What "always" would grant, as it will be stored; empty when it cannot be granted. */
      always: Grant[]
      /** The agent runs it with a tool of its own and waits for the answer. */
      external?: boolean
    }
  /** `extends`: going on takes up to so many more iterations; words are optional then. */
  | { kind: 'guidance'; question: string; context: string; extends?: number }
  | ({ kind: 'question' } & Question)
)

export type PendingAnswer =
  /** `hash` of what the person saw; an answer for other bytes is refused. */
  | { kind: 'tool_approval'; decision: 'once' | 'always' | 'deny'; hash?: string; reason?: string }
  | { kind: 'guidance'; decision: 'continue'; text: string }
  | { kind: 'guidance'; decision: 'stop' }
  | { kind: 'question'; value: string; text?: string }
