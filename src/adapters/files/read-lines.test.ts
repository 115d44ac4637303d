import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Files } from '../../ports/files.ts'
import { openFiles } from './gateway.ts'

let root: string
let files: Files
const put = (name: string, content: string | Buffer): void => fs.writeFileSync(path.join(root, name), content)

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-read-'))
  files = openFiles(root)
})

afterEach(() => {
  fs.rmSync(root, { recursive: true, force: true })
})

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

it('returns a small file exactly, whatever its line ends', async () => {
  const texts = ['', '\n', 'a', 'a\n', 'a\r\nb\r\n', 'a\n\n\nb', '\ufeffbom\n', 'ünï 😀\nx']
  for (const text of texts) {
    put('file.txt', text)
    expect(await files.read('file.txt'), JSON.stringify(text)).toMatchObject({ text, truncated: false })
  }
})

it('counts lines as a person does', async () => {
  const counts = { '': 0, a: 1, 'a\n': 1, 'a\nb': 2, '\n\n': 2 }
  for (const [text, total_lines] of Object.entries(counts)) {
    put('file.txt', text)
    expect(await files.read('file.txt'), JSON.stringify(text)).toMatchObject({ total_lines })
  }
})

it('reads a range, and says whether there is more', async () => {
  put('file.txt', numbered(10))
  expect(await files.read('file.txt', { offset: 3, limit: 2 })).toMatchObject({
    text: 'line 4\nline 5\n',
    first_line: 3,
    total_lines: 10,
    truncated: true,
  })
  expect(await files.read('file.txt', { offset: 8, limit: 2 })).toMatchObject({ truncated: false })
  expect(await files.read('file.txt', { offset: 50, limit: 2 })).toMatchObject({ text: '', total_lines: 10 })
})

it('stops a whole read at 2,000 lines', async () => {
  put('file.txt', numbered(2_000))
  expect(await files.read('file.txt')).toMatchObject({ text: numbered(2_000), truncated: false })
  put('file.txt', numbered(2_001))
  expect(await files.read('file.txt')).toMatchObject({ text: numbered(2_000), truncated: true })
})

it('stops a whole read at 256 kB, at the end of a line', async () => {
  put('file.txt', `${'x'.repeat(999)}\n`.repeat(1_000))
  const file = await files.read('file.txt')
  const text = 'refused' in file ? '' : file.text
  expect(file).toMatchObject({ truncated: true, total_lines: 1_000 })
  expect(text.length).toBeGreaterThanOrEqual(256 * 1024)
  expect(text.length).toBeLessThan(256 * 1024 + 1_000)
  expect(text.endsWith('x\n')).toBe(true)
})

it('clips long lines with a marker, between characters and across chunks', async () => {
  put('file.txt', `${'😀'.repeat(50_000)}\nshort\n${'ü'.repeat(2_000)}\n${'y'.repeat(2_001)}`)
  const file = await files.read('file.txt')
  const lines = 'refused' in file ? [] : file.text.split('\n')
  expect(file).toMatchObject({ total_lines: 4, truncated: false, valid_utf8: true })
  expect(lines[0]).toBe(`${'😀'.repeat(1_000)}… [line clipped: 200001 bytes in all]`)
  expect(lines[1]).toBe('short')
  expect(lines[2]).toBe('ü'.repeat(2_000))
  expect(lines[3]).toBe(`${'y'.repeat(2_000)}… [line clipped: 2001 bytes in all]`)
})

it('shows invalid UTF-8 with replacements and says so', async () => {
  put('file.txt', Buffer.from([0x61, 0xff, 0x62, 0x0a, 0x63]))
  expect(await files.read('file.txt')).toMatchObject({ text: 'a\ufffdb\nc', valid_utf8: false })
  expect(await files.readWhole('file.txt')).toMatchObject({ text: 'a\ufffdb\nc', valid_utf8: false })
  put('real.txt', 'a real \ufffd character')
  expect(await files.read('real.txt')).toMatchObject({ valid_utf8: true })
  put('long.txt', Buffer.concat([Buffer.alloc(500, 'a'), Buffer.from([0xff]), Buffer.alloc(100_000, 'a')]))
  expect(await files.read('long.txt')).toMatchObject({ valid_utf8: false })
})

it('refuses a binary file', async () => {
  put('file.bin', Buffer.concat([Buffer.alloc(8_000, 'a'), Buffer.from([0]), Buffer.alloc(100, 'b')]))
  expect(await files.read('file.bin')).toEqual({ refused: expect.stringContaining('binary file') })
  expect(await files.readWhole('file.bin')).toEqual({ refused: expect.stringContaining('binary file') })
})

it('reads a range of a 200 MB file without loading it', async () => {
  const start = numbered(10_000)
  put('huge.txt', start)
  fs.truncateSync(path.join(root, 'huge.txt'), 200 * 1024 * 1024)
  const before = process.memoryUsage().arrayBuffers
  const file = await files.read('huge.txt', { offset: 9_000, limit: 3 })
  expect(file).toMatchObject({
    text: 'line 9001\nline 9002\nline 9003\n',
    size: 200 * 1024 * 1024,
    truncated: true,
  })
  expect(file).not.toHaveProperty('total_lines')
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024)
  expect(await files.readWhole('huge.txt')).toEqual({ refused: expect.stringContaining('209715200 bytes') })
})

it('keeps CRLF, a missing final newline and a byte order mark for editing', async () => {
  put('file.txt', '\ufeffone\r\ntwo')
  expect(await files.readWhole('file.txt')).toMatchObject({ text: '\ufeffone\r\ntwo', valid_utf8: true })
})
