import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import type { FileText } from '../../ports/files.ts'
import { Refusal, quote } from './refusal.ts'

export const MAX_LINES = 2_000
const MAX_BYTES = 256 * 1024
const MAX_LINE_CHARACTERS = 2_000
/** No character takes more than this, so that a kept line is either whole or long enough to be clipped. */
const MAX_LINE_BYTES = MAX_LINE_CHARACTERS * 4
const COUNT_LINES_UP_TO = 4 * 1024 * 1024
const CHUNK = 64 * 1024
const BINARY_LOOK = 8 * 1024

type Lines = Omit<FileText, 'path' | 'size' | 'fingerprint'>

/** Reads lines in pieces and stops once it has them: the cost follows the range, never the size of the file. */
export async function readLines(
  handle: FileHandle,
  file: { path: string; size: number },
  range: { offset: number; limit: number },
): Promise<Lines> {
  const collected = collectLines(range)
  const buffer = Buffer.allocUnsafe(CHUNK)
  const count = file.size <= COUNT_LINES_UP_TO
  // Some files say 0 and have content; none may grow faster than it is read.
  const end = Math.max(file.size, CHUNK)
  const done = (): boolean => !count && collected.full()
  let position = 0
  while (position < end && !done()) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, position)
    if (bytesRead === 0) break
    const chunk = buffer.subarray(0, bytesRead)
    if (position === 0) refuseBinary(chunk, file.path)
    collected.add(chunk)
    position += bytesRead
  }
  const { total, ...lines } = collected.finish()
  return count ? { ...lines, total_lines: total } : lines
}

export function refuseBinary(start: Buffer, path: string): void {
  if (start.subarray(0, BINARY_LOOK).includes(0)) {
    throw new Refusal(`${quote(path)} is a binary file; only text can be read`)
  }
}

function collectLines(range: { offset: number; limit: number }) {
  const texts: string[] = []
  let kept: Buffer[] = []
  let keptBytes = 0
  let lineBytes = 0
  let textBytes = 0
  let line = 0
  let more = false
  let valid = true

  const wanted = (): boolean => line >= range.offset && texts.length < range.limit && textBytes < MAX_BYTES
  const reached = (): boolean => texts.length >= range.limit || textBytes >= MAX_BYTES

  const endLine = (): void => {
    if (wanted()) {
      const shown = showLine(Buffer.concat(kept), lineBytes)
      texts.push(shown.text)
      textBytes += keptBytes
      valid &&= shown.valid
    }
    line += 1
    kept = []
    keptBytes = 0
    lineBytes = 0
  }

  return {
    /** Everything asked for is there, and it is known whether there is more. */
    full: (): boolean => reached() && more,
    add(chunk: Buffer): void {
      let start = 0
      while (start < chunk.length) {
        const newline = chunk.indexOf(10, start)
        const end = newline < 0 ? chunk.length : newline + 1
        if (reached()) more = true
        else if (wanted()) {
          const piece = chunk.subarray(start, Math.min(end, start + MAX_LINE_BYTES + 2 - keptBytes))
          kept.push(Buffer.from(piece))
          keptBytes += piece.length
        }
        lineBytes += end - start
        if (newline >= 0) endLine()
        start = end
      }
    },
    finish(): Lines & { total: number } {
      if (lineBytes > 0) endLine()
      const first = Math.min(range.offset, line)
      return { text: texts.join(''), first_line: first, truncated: more, valid_utf8: valid, total: line }
    },
  }
}

function showLine(kept: Buffer, bytes: number): { text: string; valid: boolean } {
  const whole = kept.length === bytes
  const text = whole ? kept.toString('utf8') : decodeStart(kept)
  const valid = whole ? isUtf8(kept) : !text.includes('\ufffd') || isValidStart(kept)
  if (whole && text.length <= MAX_LINE_CHARACTERS) return { text, valid }
  const content = text.replace(/\r?\n$/u, '')
  if (whole && content.length <= MAX_LINE_CHARACTERS) return { text, valid }
  const start = content.slice(0, MAX_LINE_CHARACTERS)
  // Half of a surrogate pair is no character.
  const clipped = start.isWellFormed() ? start : start.slice(0, -1)
  return { text: `${clipped}… [line clipped: ${bytes} bytes in all]\n`, valid }
}

/** Without the half character a cut may have left at the end. */
const decodeStart = (bytes: Buffer): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })

function isValidStart(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
