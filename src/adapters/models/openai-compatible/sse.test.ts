import { expect, test } from 'vitest'
import { readEvents } from './sse.ts'

async function read(...chunks: (Buffer | string)[]): Promise<string[]> {
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const events: string[] = []
  for await (const data of readEvents(bytes())) events.push(data)
  return events
}

const stream = Buffer.from(
  ': a comment\nevent: message\nid: 7\ndata: {"text":"naïve 🙂 漢字"}\n\ndata:no space\r\n\r\ndata: two\ndata: lines\n\n',
)
const events = ['{"text":"naïve 🙂 漢字"}', 'no space', 'two\nlines']

test('reads the same events wherever the bytes are split', async () => {
  for (let at = 0; at <= stream.length; at++) {
    expect(await read(stream.subarray(0, at), stream.subarray(at)), `split at byte ${at}`).toEqual(events)
  }
})

test('reads events that come byte by byte', async () => {
  expect(await read(...Array.from(stream, (byte) => Buffer.of(byte)))).toEqual(events)
})

test('reads the last event of a stream that ends without an empty line', async () => {
  expect(await read('data: one\n\ndata: two\n')).toEqual(['one', 'two'])
  expect(await read('data: one\n\ndata: two')).toEqual(['one', 'two'])
})

test('finds nothing in what is no event stream', async () => {
  expect(await read('<html>\n\n<body>data: x</body>\n\n')).toEqual([])
  expect(await read('')).toEqual([])
})

test('gives up on a line without an end', async () => {
  const megabytes = Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, 'x'))
  await expect(read('data: ', ...megabytes)).rejects.toThrow('too long')
})
