import { expect, test } from 'vitest'
import { AttachedPictures } from './attached-pictures.ts'

const dot = { id: 'a'.repeat(64), name: 'dot.png' }
const cat = { id: 'b'.repeat(64), name: 'cat.jpg' }

test('a text brings the pictures along whose tokens are in it', () => {
  const pictures = new AttachedPictures()
  expect(pictures.in('[Picture 1: dot.png]')).toEqual([])
  const [first, second] = [pictures.add(dot), pictures.add(cat)]
  expect([first, second]).toEqual(['[Picture 1: dot.png]', '[Picture 2: cat.jpg]'])
  expect(pictures.in(`${second} beside ${first}, and ${second} again`)).toEqual([cat, dot])
  expect(pictures.in('[Picture 1: dot.pn] and [Picture 3: dot.png]')).toEqual([])
  expect(pictures.spellOut(`Is ${first} like ${second}?`)).toBe('Is dot.png like cat.jpg?')
})

test('names are safe to draw, and not too long for the input or a server', () => {
  const pictures = new AttachedPictures()
  const token = pictures.add({ id: dot.id, name: `a\u001b[31m\n${'x'.repeat(300)}]end.png` })
  // eslint-disable-next-line no-control-regex
  expect(token).not.toMatch(/[\u0000-\u001f]/)
  expect(token.length).toBeLessThan(60)
  expect(pictures.in(`see ${token}`)[0]?.name).toHaveLength(200)
})

test('a message that was sent gets tokens of this start for its pictures', () => {
  const pictures = new AttachedPictures()
  pictures.add({ id: 'c'.repeat(64), name: 'dot.png' })
  const text = pictures.restore('Is [Picture 1: dot.png] like [Picture 7: cat.jpg]?', [dot, cat])
  expect(text).toBe('Is [Picture 2: dot.png] like [Picture 3: cat.jpg]?')
  expect(pictures.in(text)).toEqual([dot, cat])
  expect(pictures.restore('From the page', [dot])).toBe('From the page [Picture 4: dot.png]')
  expect(pictures.restore('', [cat])).toBe('[Picture 5: cat.jpg]')
})
