import { expect, it } from 'vitest'
import { cappedOutput } from './capped-output.ts'

const collect = (limits: { head: number; tail: number }, chunks: Buffer[]): string => {
  const output = cappedOutput(limits)
  for (const chunk of chunks) output.add(chunk)
  return output.text()
}

it('returns everything that fits, however it was cut into pieces', () => {
  const text = Buffer.from('0123456789äöü😀'.repeat(2))
  for (let size = 1; size <= text.length; size += 1) {
    const chunks: Buffer[] = []
    for (let at = 0; at < text.length; at += size) chunks.push(text.subarray(at, at + size))
    expect(collect({ head: 7, tail: text.length - 7 }, chunks)).toBe(text.toString())
  }
})

it('keeps the first and the last bytes and counts the rest, however it was cut into pieces', () => {
  const text = Buffer.from('abcdefghijklmnopqrstuvwxyz')
  for (let size = 1; size <= text.length; size += 1) {
    const chunks: Buffer[] = []
    for (let at = 0; at < text.length; at += size) chunks.push(text.subarray(at, at + size))
    expect(collect({ head: 3, tail: 5 }, chunks)).toBe('abc\n… [18 bytes left out] …\nvwxyz')
  }
})

it('shows no half characters at the cut', () => {
  expect(collect({ head: 4, tail: 6 }, [Buffer.from('a😀😀😀😀z')])).toBe('a\n… [8 bytes left out] …\n😀z')
})
