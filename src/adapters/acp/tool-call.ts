import { clip } from '../../core/turn/observe.ts'
import { type Json, asList, asObject, asText } from './read-json.ts'

export interface ToolCallState {
  id: string
  kind: ToolKind
  title: string
  raw_input: unknown
  raw_output: unknown
  content: Json[]
  locations: string[]
  status: string
  began: number
  /** The agent asked and was refused, so nothing of it happened. */
  refused: boolean
}

const kinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const
export type ToolKind = (typeof kinds)[number]

/** Longer texts of a call are cut for the log. */
const LONGEST_TEXT = 20_000
const LONGEST_INPUT = 200_000

/** A call as it is known after one more message about it; what a message leaves out stays as it was. */
export function mergeCall(before: ToolCallState | undefined, update: Json, now: number): ToolCallState {
  const { kind, title, status, content, locations, rawInput, rawOutput } = update
  return {
    id: asText(update['toolCallId']) ?? '',
    kind: kinds.find((known) => known === kind) ?? before?.kind ?? 'other',
    title: asText(title)?.slice(0, 500) ?? before?.title ?? '',
    raw_input: rawInput ?? before?.raw_input,
    raw_output: rawOutput ?? before?.raw_output,
    content: Array.isArray(content) ? asList(content) : (before?.content ?? []),
    locations: Array.isArray(locations)
      ? asList(locations).flatMap(({ path }) => asText(path) ?? [])
      : (before?.locations ?? []),
    status: asText(status) ?? before?.status ?? 'pending',
    began: before?.began ?? now,
    refused: before?.refused ?? false,
  }
}

/** What a person is shown before they approve, and what the log keeps: the agent's own words for it. */
export function inputOf({ title, raw_input, content }: ToolCallState): Record<string, unknown> {
  const given = asObject(raw_input)
  const plain = raw_input !== undefined && Object.keys(given).length === 0 && typeof raw_input === 'string'
  const changes =
    Object.keys(given).length === 0 ? content.filter(({ type }) => type === 'diff').map(asChange) : []
  const input = {
    title,
    ...given,
    ...(plain && { input: raw_input }),
    ...(changes.length > 0 && { changes }),
  }
  return JSON.stringify(input).length <= LONGEST_INPUT ? input : (shorten(input) as Record<string, unknown>)
}

/** What came of it, in words. */
export function outputOf({ content, raw_output }: ToolCallState): string {
  const told = content.flatMap((item) => {
    if (item['type'] === 'diff') return describeDiff(item)
    return item['type'] === 'content' ? (asText(asObject(item['content'])['text']) ?? []) : []
  })
  if (told.length > 0) return clip(told.join('\n'), LONGEST_TEXT)
  if (raw_output === undefined || raw_output === null) return ''
  return clip(asText(raw_output) ?? JSON.stringify(raw_output), LONGEST_TEXT)
}

const asChange = ({ path, oldText, newText }: Json): Json => ({ path, old_text: oldText, new_text: newText })

function describeDiff({ path, oldText, newText }: Json): string {
  const before = asText(oldText)?.split('\n') ?? []
  const after = asText(newText)?.split('\n') ?? []
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  const most = Math.min(before.length, after.length) - head
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return `${String(path)}: ${after.length - head - tail} lines for ${before.length - head - tail}`
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, LONGEST_TEXT)
  if (Array.isArray(value)) return value.slice(0, 20).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 50)
      .map(([key, inner]) => [key, shorten(inner)]),
  )
}
