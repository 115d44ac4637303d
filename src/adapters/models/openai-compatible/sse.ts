import { StringDecoder } from 'node:string_decoder'

/** More than this without a line end is not an event stream. */
const LONGEST_LINE = 8 * 1024 * 1024

/** More than anybody should send. */
export class TooLarge extends Error {}

/** The `data` of each server-sent event. Lines and characters may be split anywhere between chunks. */
export async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    const text = decoder.write(chunk)
    // A long line is not looked at again and again while it grows.
    const lines = text.includes('\n') ? (rest + text).split('\n') : [rest + text]
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE) throw new TooLarge('a line of the event stream is too long')
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line
      if (text === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
      } else if (text.startsWith('data:')) data.push(text.slice(text[5] === ' ' ? 6 : 5))
    }
  }
  if (rest.startsWith('data:')) data.push(rest.slice(5).trimStart())
  if (data.length > 0) yield data.join('\n')
}
