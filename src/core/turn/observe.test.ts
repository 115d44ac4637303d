import { describe, expect, test } from 'vitest'
import { clip, observe } from './observe.ts'

const settled = (more: object = {}) => ({
  call: { id: 'call_1', name: 'shell', input: { command: 'ls' } },
  success: true,
  output: 'a.txt\n',
  duration_ms: 12,
  ...more,
})

describe('an observation', () => {
  test('holds what was called, what came out, how long it took and whether it worked', () => {
    expect(observe(settled())).toEqual({
      call_id: 'call_1',
      tool: 'shell',
      input: { command: 'ls' },
      output: 'a.txt\n',
      duration_ms: 12,
      success: true,
    })
  })

  test('of a failure says so in its error', () => {
    expect(observe(settled({ success: false, output: 'exit code 3' }))).toMatchObject({
      error: 'exit code 3',
    })
  })

  test('names the files that were written, if any were', () => {
    const files = [{ path: 'a.txt', change: 'new' as const }]
    expect(observe(settled({ files }))).toMatchObject({ files })
    expect(observe(settled({ files: [] }))).not.toHaveProperty('files')
  })

  test('clips long outputs and inputs, and leaves the call itself alone', () => {
    const content = `begin ${'x'.repeat(10_000)} end`
    const call = { id: 'c', name: 'create_file', input: { path: 'a.txt', content, lines: [content] } }
    const { input, output } = observe(settled({ call, output: content }))

    expect(input['path']).toBe('a.txt')
    for (const text of [input['content'], input['lines'], output] as string[]) {
      expect(text.length).toBeLessThan(2_100)
      expect(text).toMatch(/begin [^]* characters left out [^]* end/)
    }
    expect(call.input.content).toBe(content)
  })
})

describe('clipping', () => {
  test('keeps a text that fits as it is', () => {
    expect(clip('12345', 5)).toBe('12345')
  })

  test('keeps head and tail and says how much is gone', () => {
    expect(clip('abcdefgh', 4)).toBe('ab\n[… 4 characters left out …]\ngh')
  })
})
