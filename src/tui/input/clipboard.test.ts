import { expect, test } from 'vitest'
import { fromAppleScript } from './clipboard.ts'

test('the bytes that AppleScript writes as letters', () => {
  expect(fromAppleScript(Buffer.from('«data PNGf89504E47»\n'))).toEqual(Buffer.from('89504e47', 'hex'))
  expect(fromAppleScript(Buffer.from('missing value\n'))).toBeUndefined()
  expect(fromAppleScript(undefined)).toBeUndefined()
})
