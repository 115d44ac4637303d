import { clip } from '../core/turn/observe.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { StreamId } from '../schema/ids.ts'
import type { ToolCall, TurnEvent } from '../schema/turn-event.ts'
import type { ClippedText, ItemBase, ToolCallItem, ToolStatus } from './transcript-item.ts'

/** Longer output is shown by its beginning and end; the whole is in the log. */
const LONGEST_OUTPUT = 4_000
const LONGEST_SUMMARY = 120

/** A call that has just been seen: it waits for a person, or runs. */
export function newToolCard(
  base: ItemBase,
  call: ToolCall,
  more: Partial<ToolCallItem> & { status: ToolStatus },
): ToolCallItem {
  const { name } = call
  return { ...base, kind: 'tool_call', call, name, summary: summarizeInput(call), read_only: false, ...more }
}

type Finished = Extract<TurnEvent, { type: 'tool.finished' | 'external.finished' }>

/** What a result says of its call. */
export function resultOf(stream: StreamId, call_id: string, event: Finished): Partial<ToolCallItem> {
  const { success, output, duration_ms } = event
  const cut = event.type === 'tool.finished' ? event.cut : undefined
  const files = event.type === 'tool.finished' ? event.files : undefined
  const diff = diffIn(output)
  return {
    status: success ? 'ok' : cut === 'interrupted' ? 'interrupted' : 'failed',
    output: clipText(output, { stream, call_id }),
    duration_ms,
    ...(files?.length && { files }),
    ...(diff && { diff }),
  }
}

export function clipText(text: string, source: ClippedText['source']): ClippedText {
  const clipped = text.length > LONGEST_OUTPUT
  return { text: clipped ? clip(text, LONGEST_OUTPUT) : text, length: text.length, clipped, source }
}

/** The part of an input that says most, in one line. */
export function summarizeInput({ input }: Pick<ToolCall, 'input'>): string {
  const telling = ['command', 'pattern', 'path', 'question', 'task', 'url', 'answer', 'label', 'reason']
    .map((key) => input[key])
    .find((value) => typeof value === 'string' && value !== '')
  const text =
    typeof telling === 'string' ? telling : Object.keys(input).length > 0 ? JSON.stringify(input) : ''
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > LONGEST_SUMMARY ? `${line.slice(0, LONGEST_SUMMARY - 1)}…` : line
}

/** File tools show changed lines below a line that names the place. */
function diffIn(output: string): string | undefined {
  const start = output.search(/^@@ line \d+ @@$/m)
  return start === -1 ? undefined : output.slice(start)
}

/** The item an envelope begins: its place in the log is its name. */
export const itemBase = ({ stream, seq, at }: Envelope, agent_id?: string): ItemBase => ({
  id: `${stream}:${seq}`,
  revision: 1,
  at,
  stream,
  ...(agent_id !== undefined && { agent_id }),
})
