import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Model, ModelPart, ModelRequest } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'
import type { TurnId } from '../../../schema/ids.ts'
import { canonicalJson } from './canonical.ts'
import { RECORDING_VERSION, type RecordingHeader, type RecordingLine } from './recording.ts'

export const recordingFile = (folder: string, turn: TurnId): string => join(folder, `${turn}.jsonl`)

/**
 * The same model, with everything it is asked and answers written down. Only requests and parts: no header, address or
 * key ever gets here. Each line is written before its part goes on, so a recording is never behind what was seen.
 */
export function recorded(
  model: Model,
  folder: string,
  header: Omit<RecordingHeader, 'type' | 'v' | 'model' | 'context_window'>,
): Model {
  const file = recordingFile(folder, header.turn_id)
  return {
    ...model,
    async *stream(request, signal, host): AsyncGenerator<ModelPart> {
      let out: number
      try {
        out = open(file, folder, {
          type: 'turn',
          v: RECORDING_VERSION,
          model: model.label,
          ...(model.context_window && { context_window: model.context_window }),
          ...header,
        })
        write(out, { type: 'request', hash: await hashOf(request), request })
      } catch (error) {
        return yield { type: 'failed', failure: notWritten(file, error) }
      }
      const began = performance.now()
      const ms = () => Math.round(performance.now() - began)
      let whole = false
      try {
        for await (const part of model.stream(request, signal, host)) {
          if (part.type === 'progress') continue
          write(out, { type: 'part', ms: ms(), part })
          // Whoever reads a failure reads no further.
          whole = part.type === 'failed'
          yield part
        }
        whole = !signal.aborted
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== 'write') throw error
        yield { type: 'failed', failure: notWritten(file, error) }
      } finally {
        end(out, { type: 'end', ms: ms(), ...(!whole && { aborted: true }) })
      }
    },
  }
}

/** Readable by its owner only: prompts and files are in it. */
function open(file: string, folder: string, header: RecordingHeader): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const isNew = !existsSync(file)
  const out = openSync(file, 'a', 0o600)
  // A process that was killed may have left half a line.
  writeSync(out, isNew ? `${JSON.stringify(header)}\n` : '\n')
  return out
}

function write(out: number, line: RecordingLine): void {
  writeSync(out, `${JSON.stringify(line)}\n`)
}

function end(out: number, line: RecordingLine): void {
  try {
    write(out, line)
  } catch {
    // a recording without an end is known to be cut off
  } finally {
    closeSync(out)
  }
}

async function hashOf(request: ModelRequest): Promise<string> {
  const { hash } = await import('node:crypto')
  return hash('sha256', canonicalJson(request))
}

const notWritten = (file: string, error: unknown): Failure => ({
  kind: 'storage',
  message: `the recording ${file} cannot be written: ${(error as Error).message}`,
  hint: 'make room or give it another place with --data-dir, or run without --record',
})
