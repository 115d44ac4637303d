import { expect, it } from 'vitest'
import { demultiplex } from './demultiplex.ts'

function frame(stream: number, text: string): Buffer {
  const body = Buffer.from(text)
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(body.length, 4)
  return Buffer.concat([header, body])
}

const message = Buffer.concat([frame(1, 'one '), frame(2, 'problem'), frame(1, ''), frame(1, 'two')])

it.each([1, 3, 7, 8, 11, message.length])('gives the bytes of each stream, in pieces of %i', (size) => {
  const heard = { stdout: '', stderr: '' }
  const read = demultiplex((stream, bytes) => {
    heard[stream] += bytes.toString()
  })
  for (let at = 0; at < message.length; at += size) read(message.subarray(at, at + size))
  expect(heard).toEqual({ stdout: 'one two', stderr: 'problem' })
})
