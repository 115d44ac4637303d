import { fstatSync } from 'node:fs'
import { Exit, exitCodes } from './exit-codes.ts'

const LARGEST = 10 * 1024 * 1024
/** A socket may be nothing but what a parent process forgot to close. */
const SOCKET_PATIENCE_MS = 1_000

/** What is piped in, if anything is. Nothing is read from a terminal or an empty device. */
export async function readStdin(): Promise<string> {
  let kind
  try {
    kind = fstatSync(0)
  } catch {
    return ''
  }
  if (!kind.isFIFO() && !kind.isFile() && !kind.isSocket()) return ''
  const chunks: Buffer[] = []
  let size = 0
  const { stdin } = process
  const silence = kind.isSocket() && setTimeout(() => stdin.destroy(), SOCKET_PATIENCE_MS)
  try {
    for await (const chunk of stdin) {
      if (silence) clearTimeout(silence)
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > LARGEST)
        throw new Exit(exitCodes.input, 'standard input is over 10 MB; put it in a file and name the file')
    }
  } catch (error) {
    if (error instanceof Exit) throw error
  } finally {
    if (silence) clearTimeout(silence)
  }
  return decode(Buffer.concat(chunks))
}

function decode(bytes: Buffer): string {
  if (bytes.includes(0)) throw new Exit(exitCodes.input, 'standard input is binary; a prompt is text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Exit(exitCodes.input, 'standard input is not valid UTF-8')
  }
}
