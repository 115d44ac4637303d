import { afterEach, beforeEach, expect, it } from 'vitest'
import { makePlayground } from './tools.test-support.ts'
import type { Playground } from './tools.test-support.ts'

let play: Playground

beforeEach(() => {
  play = makePlayground()
})

afterEach(() => {
  play.remove()
})

it('runs in the working folder and returns the output', async () => {
  play.put('file.txt', 'content')
  expect(await play.run('shell', { command: 'cat file.txt' })).toEqual({ success: true, output: 'content' })
  expect(await play.run('shell', { command: 'true' })).toEqual({ success: true, output: '(no output)' })
})

it('ends with the exit code when it is not 0', async () => {
  expect(await play.run('shell', { command: 'echo text; exit 3' })).toEqual({
    success: false,
    output: 'text\nexit code 3',
  })
  expect(await play.run('shell', { command: 'printf text; exit 3' })).toEqual({
    success: false,
    output: 'text\nexit code 3',
  })
  expect((await play.run('shell', { command: 'exit 1' })).output).toBe('exit code 1')
})

it('says what else ended it', async () => {
  expect(await play.run('shell', { command: 'echo begun; sleep 60', timeout_ms: 300 })).toEqual({
    success: false,
    output: 'begun\nended by us after 300 ms; raise timeout_ms if it needs longer',
  })
  expect((await play.run('shell', { command: 'kill $$' })).output).toBe('ended by a signal')
  expect(await play.run('shell', { command: 'true' }, AbortSignal.abort())).toEqual({
    success: false,
    output: 'cancelled',
  })
  expect((await play.run('shell', { command: '\0' })).output).toContain('not started')
})
