import { expect, test } from 'vitest'
import type { ChatSummary } from '../../client/client.ts'
import { applied, ended } from './use-chats.ts'

const chat = (id: string, status: string, minute: number): ChatSummary => ({
  chat_id: `chat_${id}`,
  title: id,
  folder: '/f',
  status,
  created_at: '',
  updated_at: `2026-01-01T00:0${minute}:00.000Z`,
})

const known = [chat('b', 'working', 2), chat('a', 'complete', 1)]

test('what changed moves to where it belongs, what was removed goes', () => {
  const changed = [chat('a', 'working', 3), chat('c', 'new', 1)]
  const titles = (list: readonly ChatSummary[]) => list.map(({ title }) => title)
  expect(titles(applied(known, { changed, removed: [] }))).toEqual(['a', 'b', 'c'])
  expect(titles(applied(known, { changed: [], removed: ['chat_b'] }))).toEqual(['a'])
  expect(titles(applied(known, { changed, removed: [], all: true }))).toEqual(['a', 'c'])
})

test('only work that ended is news', () => {
  const changed = [chat('b', 'failed', 3), chat('a', 'failed', 3), chat('c', 'complete', 3)]
  expect(ended(known, { changed, removed: [] }).map(({ title }) => title)).toEqual(['b'])
  expect(ended(known, { changed: [chat('b', 'working', 3)], removed: [] })).toEqual([])
})
