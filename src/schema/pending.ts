import type { ToolCall } from './turn-event.ts'

export type Severity = 'critical' | 'major' | 'minor'

export interface QuestionOption {
  label: string
  value: string
  description?: string
}

/**
 * Anything that waits for a person. Plain data in the log, so it survives a restart; any face may answer, the first
 * answer wins.
 */
export type Pending = { id: string } & (
  | { kind: 'tool_approval'; call: ToolCall; reason: string; severity: Severity }
  | { kind: 'guidance'; question: string; context: string }
  | {
      kind: 'question'
      question: string
      context?: string
      severity: Severity
      options: QuestionOption[]
      default?: string
    }
)

export type PendingAnswer =
  | { kind: 'tool_approval'; decision: 'once' | 'deny'; reason?: string }
  | { kind: 'guidance'; decision: 'continue'; text: string }
  | { kind: 'guidance'; decision: 'stop' }
  | { kind: 'question'; value: string; text?: string }
