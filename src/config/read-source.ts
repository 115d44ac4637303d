import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import type { ConfigProblem } from './problem.ts'

/** No config comes near this. */
const LARGEST = 1_000_000

export type ReadSource = { ok: true; source: string } | { ok: false; problem: ConfigProblem }

/** Reads a config's text: of a file or a pipe, never more than a config can be, and never what is not UTF-8. */
export function readSource(file: string): ReadSource {
  let bytes: Buffer
  try {
    bytes = readAtMost(file, LARGEST + 1)
  } catch (error) {
    return refuse(file, `cannot be read: ${(error as Error).message}`)
  }
  if (bytes.length > LARGEST) return refuse(file, `is larger than ${LARGEST} bytes`)
  if (isUtf8(bytes)) return { ok: true, source: bytes.toString('utf8') }
  if (/^(\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2)))
    return refuse(file, 'is UTF-16', { suggestion: 'save it as UTF-8' })
  return refuse(file, 'is not UTF-8', { ...firstBadByte(bytes), suggestion: 'save it as UTF-8' })
}

function refuse(file: string, what: string, more: Partial<ConfigProblem> = {}): ReadSource {
  return { ok: false, problem: { file, line: 1, column: 1, message: `the config file ${what}`, ...more } }
}

function readAtMost(file: string, most: number): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const chunks: Buffer[] = []
    let total = 0
    while (total < most) {
      const chunk = Buffer.allocUnsafe(Math.min(65_536, most - total))
      const read = readSync(descriptor, chunk)
      if (read === 0) break
      total += read
      chunks.push(chunk.subarray(0, read))
    }
    return Buffer.concat(chunks, total)
  } finally {
    closeSync(descriptor)
  }
}

/** Lines are split at bytes that stand for themselves in UTF-8, so the first line that is not UTF-8 holds the byte. */
function firstBadByte(bytes: Buffer): { line: number; column: number } {
  let start = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(10, start)
    const text = bytes.subarray(start, end < 0 ? bytes.length : end)
    if (!isUtf8(text)) return { line, column: text.toString('utf8').indexOf('\ufffd') + 1 }
    if (end < 0) return { line: 1, column: 1 }
    start = end + 1
  }
}
