import type { IncomingMessage } from 'node:http'
import { ClientError } from '../client/client.ts'

/** Longest body of a request that says nothing else. */
const LARGEST = 1_000_000
/** Of what is too long, so much is read and dropped, so that the sender gets to read the answer. */
const DRAINED = 20_000_000

/** The JSON a request brings. */
export async function readJson(
  incoming: IncomingMessage | undefined,
  largest = LARGEST,
  tooLarge = `a request has at most ${largest} bytes`,
): Promise<unknown> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of (incoming ?? []) as AsyncIterable<Buffer>) {
    size += piece.length
    if (size <= largest) pieces.push(piece)
    else if (size > DRAINED) break
  }
  if (size > largest) throw new ClientError(413, tooLarge)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)))
  } catch (error) {
    throw new ClientError(400, `the body is not JSON: ${(error as Error).message}`)
  }
}
