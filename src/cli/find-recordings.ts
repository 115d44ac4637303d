import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { recordingFile } from '../adapters/models/record/record.ts'
import {
  type Recording,
  type RecordingHeader,
  readHeader,
  readRecording,
} from '../adapters/models/record/recording.ts'
import type { TurnId } from '../schema/ids.ts'
import { Exit, exitCodes } from './exit-codes.ts'

export interface Recordings {
  /** The chat's turns, in order. */
  turns: Recording[]
  /** The recording of any turn, those of sub-agents included. */
  find(turn: TurnId): Recording | undefined
}

/** What `replay` was given: a recording, or a chat by its id or a part of it. */
export async function findRecordings(name: string, folder: string): Promise<Recordings> {
  const isFile = existsSync(name) && statSync(name).isFile()
  const last = isFile ? await readHeader(name).catch(refuse) : await findLastTurn(name, folder)
  if (last.parent)
    throw new Exit(
      exitCodes.input,
      `${name} is the recording of a sub-agent; replay ${last.parent.turn_id} instead`,
    )
  const place = isFile ? dirname(name) : folder
  const find = (turn: TurnId): Recording | undefined => {
    const file = recordingFile(place, turn)
    return existsSync(file) ? readRecording(file) : undefined
  }
  const turns = [...last.before, last.turn_id].map((turn) => {
    const recording = turn === last.turn_id && isFile ? readRecording(name) : find(turn)
    if (recording) return recording
    throw new Exit(
      exitCodes.input,
      `${turn} of ${last.chat_id} was not recorded, and what came after it cannot be replayed without it\n` +
        'Only chats that were recorded from their start can be replayed.',
    )
  })
  return { turns, find }
}

async function findLastTurn(name: string, folder: string): Promise<RecordingHeader> {
  const short = name.replace(/^chat_/, '')
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.jsonl')) : []
  const headers = await Promise.all(
    files.map((file) => readHeader(join(folder, file)).catch(() => undefined)),
  )
  const fitting = headers.flatMap((header) => {
    const id = header?.chat_id.slice('chat_'.length) ?? ''
    const fits = short !== '' && (id.startsWith(short) || id.endsWith(short))
    return header && fits && !header.parent ? [header] : []
  })
  const chats = new Set(fitting.map(({ chat_id }) => chat_id))
  if (chats.size > 1)
    throw new Exit(exitCodes.input, `"${name}" fits ${chats.size} recorded chats; give more of the id`)
  const last = fitting.sort((a, b) => b.before.length - a.before.length)[0]
  if (last) return last
  throw new Exit(
    exitCodes.input,
    `there is no recording of "${name}" in ${folder}; runs are recorded with --record`,
  )
}

function refuse(error: Error): never {
  throw new Exit(exitCodes.input, error.message)
}
