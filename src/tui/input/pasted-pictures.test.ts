import { expect, test } from 'vitest'
import { pastedPictures } from './pasted-pictures.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

const paths = (text: string): string[] | undefined => {
  const found = pastedPictures(text)
  return found?.kind === 'files' ? found.files.map(({ path }) => path) : undefined
}

test.each([
  ['/tmp/a.png', ['/tmp/a.png']],
  ['/tmp/my\\ shot.PNG\n', ['/tmp/my shot.PNG']],
  ["'/tmp/my shot.jpeg'", ['/tmp/my shot.jpeg']],
  ['"/tmp/my shot.jpeg" ', ['/tmp/my shot.jpeg']],
  ['/tmp/my shot.jpeg', ['/tmp/my shot.jpeg']],
  ["'/tmp/it'\\''s.png'", ["/tmp/it's.png"]],
  ["/tmp/it's.png", ["/tmp/it's.png"]],
  ['file:///tmp/a%20b.webp', ['/tmp/a b.webp']],
  ['~/shots/a.gif', ['~/shots/a.gif']],
  ['shots/a.gif', ['shots/a.gif']],
  ['C:\\Users\\me\\a.png', ['C:\\Users\\me\\a.png']],
  ["'/tmp/a b.png' '/tmp/c.jpg'", ['/tmp/a b.png', '/tmp/c.jpg']],
  ['/tmp/a\\ b.png /tmp/c.jpg ', ['/tmp/a b.png', '/tmp/c.jpg']],
  ['file:///tmp/a.png\nfile:///tmp/b.png\n', ['/tmp/a.png', '/tmp/b.png']],
])('%s names pictures as terminals paste them', (text, found) => {
  expect(paths(text)).toEqual(found)
})

test.each([
  '',
  'look at a.png please',
  'a.png\nb.png',
  'a.png b.png',
  'https://example.com/a.png',
  'file://elsewhere/a.png',
  'notes.md',
  'iVBORw0KGgo',
  `${PNG}!`,
])('%j stays text', (text) => {
  expect(pastedPictures(text)).toBeUndefined()
})

test('what may be just words is a picture only if there is such a file', () => {
  for (const [text, certain] of [
    ['/tmp/a.png', true],
    ['a.png', false],
    ['/fix the logo in a.png', false],
  ] as const)
    expect(pastedPictures(text)).toMatchObject({ files: [{ certain }] })
})

test('the bytes of a picture are known in base64 and as a data: URL', () => {
  const lines = PNG.replaceAll(/.{40}/g, '$&\n')
  expect(pastedPictures(PNG)).toEqual({ kind: 'data', base64: PNG, text: PNG })
  expect(pastedPictures(`${lines}\n`)).toMatchObject({ kind: 'data' })
  const url = `data:image/png;base64,${PNG}`
  expect(pastedPictures(url)).toEqual({ kind: 'data', base64: PNG, text: url })
})

test('a paste of megabytes that is no picture is looked at quickly and left alone', () => {
  expect(pastedPictures('/9j/'.repeat(2_000_000) + '.')).toBeUndefined()
  expect(pastedPictures("/tmp/it's ".repeat(1_900))).toBeUndefined()
})
