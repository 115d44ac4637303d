import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventReader, readCursor, writeCursor } from './wire.ts'

test('messages are the same however what is sent is cut into pieces', () => {
  const text =
    'retry: 1000\n\nid: a:1\ndata: {"x":"\\n"}\n\n:\n\nevent: ready\ndata: {}\n\nid: a:2\ndata: y\n\n'
  const whole = new EventReader().feed(text)
  expect(whole).toEqual([
    { id: 'a:1', event: 'message', data: '{"x":"\\n"}' },
    { id: 'a:1', event: 'ready', data: '{}' },
    { id: 'a:2', event: 'message', data: 'y' },
  ])
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), (cuts) => {
      const reader = new EventReader()
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end))
      expect(pieces.flatMap((piece) => reader.feed(piece))).toEqual(whole)
    }),
  )
})

test('a cursor is read as it was written, and nothing else is', () => {
  const cursor = new Map([
    ['chat_1', 12],
    ['turn_2-1', 0],
  ] as const)
  expect(readCursor(writeCursor(cursor))).toEqual(cursor)
  for (const wrong of ['', 'chat_1', 'chat_1:x', 'chat_1:-1', 'file_1:1', 'chat_/etc:1', 'chat_1:1,']) {
    expect([wrong, readCursor(wrong)]).toEqual([wrong, undefined])
  }
})
