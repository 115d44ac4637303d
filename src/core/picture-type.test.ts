import { expect, test } from 'vitest'
import { pictureType } from './picture-type.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

test.each([
  ['\x89PNG\r\n\x1a\nrest', 'image/png'],
  ['\xff\xd8\xff\xe0rest', 'image/jpeg'],
  ['GIF87arest', 'image/gif'],
  ['GIF89arest', 'image/gif'],
  ['RIFF1234WEBPVP8 ', 'image/webp'],
  ['RIFF1234WAVEfmt ', undefined],
  ['\x89PNG', undefined],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', undefined],
  ['', undefined],
])('%j is %s', (text, type) => {
  expect(pictureType(bytes(text))).toBe(type)
})
