import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { ModelPart, ModelRequest } from '../../../ports/model.ts'
import type { ChatId, TurnId } from '../../../schema/ids.ts'
import type { TurnSettings } from '../../../schema/turn-event.ts'

export const RECORDING_VERSION = 1

/** The first line of a recording: what it takes to start the turn again. */
export interface RecordingHeader {
  type: 'turn'
  v: number
  at: string
  turn_id: TurnId
  chat_id: ChatId
  agent_id: string
  system_message?: string
  model: string
  context_window?: number
  folder: string
  prompt: string
  settings: TurnSettings
  /** The chat's turns before this one. */
  before: TurnId[]
  parent?: { turn_id: TurnId; call_id: string }
}

/** The further lines: a request, the parts of its reply with their time since the request, and its end. */
export type RecordingLine =
  | { type: 'request'; hash: string; request: ModelRequest }
  | { type: 'part'; ms: number; part: ModelPart }
  /** `aborted`: nobody wanted the rest. */
  | { type: 'end'; ms: number; aborted?: true }

export interface Exchange {
  hash: string
  request: ModelRequest
  parts: { ms: number; part: ModelPart }[]
  aborted: boolean
}

export interface Recording {
  header: RecordingHeader
  exchanges: Exchange[]
}

/** Reads a recording; throws an `Error` with a reason for people when it is none. */
export function readRecording(file: string): Recording {
  const lines = readFileSync(file, 'utf8').split('\n')
  const header = asHeader(parse(lines.shift()), file)
  const exchanges: Exchange[] = []
  let open: Exchange | undefined
  for (const text of lines) {
    // The last line of a process that was killed may be cut off.
    const line = parse(text) as RecordingLine | undefined
    if (line?.type === 'request') open = { ...line, parts: [], aborted: false }
    else if (line?.type === 'part') open?.parts.push({ ms: line.ms, part: line.part })
    else if (line?.type === 'end' && open) {
      exchanges.push({ ...open, aborted: line.aborted ?? false })
      open = undefined
    }
    // What has no end was asked again by the process that took the turn over.
  }
  return { header, exchanges }
}

/** Only the first line, however long the rest is. */
export async function readHeader(file: string): Promise<RecordingHeader> {
  const input = createReadStream(file)
  try {
    for await (const line of createInterface({ input })) return asHeader(parse(line), file)
  } finally {
    input.destroy()
  }
  throw new Error(`${file} is empty`)
}

function asHeader(value: unknown, file: string): RecordingHeader {
  const header = value as Partial<RecordingHeader> | undefined
  if (header?.type !== 'turn' || !header.turn_id) throw new Error(`${file} is no recording`)
  if (header.v !== RECORDING_VERSION)
    throw new Error(`${file} was made by another version of conclave (format ${header.v})`)
  return header as RecordingHeader
}

function parse(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '')
  } catch {
    return undefined
  }
}
