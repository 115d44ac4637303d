import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { untilAborted } from './until-aborted.ts'

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const part of stream) all.push(part)
  return all
}

test('passes everything on, also what comes soon after the abort', async () => {
  const stop = new AbortController()
  async function* stream() {
    yield 'one'
    stop.abort()
    await sleep(5)
    yield 'two'
  }
  expect(await collect(untilAborted(stream(), stop.signal, 10_000))).toEqual(['one', 'two'])
})

test('leaves a stream that does not end behind, and what it throws later harms nobody', async () => {
  const stop = new AbortController()
  let ended = false
  async function* stream() {
    yield 'one'
    stop.abort()
    await sleep(100)
    ended = true
    throw new Error('too late')
  }
  expect(await collect(untilAborted(stream(), stop.signal, 10))).toEqual(['one'])
  expect(ended).toBe(false)
  await sleep(150)
  expect(ended).toBe(true)
})

test('closes the stream when its reader stops early, and tells of errors', async () => {
  let closed = false
  async function* stream() {
    try {
      yield 'one'
      yield 'two'
    } finally {
      closed = true
    }
  }
  for await (const part of untilAborted(stream(), new AbortController().signal)) {
    expect(part).toBe('one')
    break
  }
  expect(closed).toBe(true)
  async function* broken() {
    yield 'one'
    throw new Error('broken')
  }
  await expect(collect(untilAborted(broken(), new AbortController().signal))).rejects.toThrow('broken')
})
