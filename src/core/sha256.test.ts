import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

test('agrees with the crypto library on any text', () => {
  const property = fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
  })
  fc.assert(property)
  for (const length of [55, 56, 63, 64, 119, 120, 10_000]) {
    expect(sha256('x'.repeat(length))).toBe(createHash('sha256').update('x'.repeat(length)).digest('hex'))
  }
})
