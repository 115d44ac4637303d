import { expect, test } from 'vitest'
import { pastedImage } from './pasted-image.ts'

test('the names of picture files are found as terminals paste them', () => {
  for (const [text, path] of [
    ['/tmp/a.png', '/tmp/a.png'],
    ['/tmp/my\\ shot.PNG\n', '/tmp/my shot.PNG'],
    ["'/tmp/my shot.jpeg'", '/tmp/my shot.jpeg'],
    ['file:///tmp/a.webp', '/tmp/a.webp'],
    ['shots/a.gif', 'shots/a.gif'],
  ] as const)
    expect(pastedImage(text)).toEqual({ kind: 'file', path })
})

test('the bytes of a picture are known for what they are', () => {
  expect(pastedImage('data:image/png;base64,iVBORw0KGgo=')).toEqual({ kind: 'data' })
  expect(pastedImage('\u0089PNG\r\n')).toEqual({ kind: 'data' })
})

test('words stay words', () => {
  for (const text of ['', 'look at a.png please', 'https://example.com/a.png', 'a.png\nb.png', 'notes.md'])
    expect(pastedImage(text)).toBeUndefined()
})
