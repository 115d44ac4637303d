import { expect, test } from 'vitest'
import { hiddenParts } from './hidden-parts.ts'

test('says what a person could miss', () => {
  expect(hiddenParts('rm -r build\nls\tx')).toEqual([])
  expect(hiddenParts('rm\u200b -r')).toEqual(['1 invisible character, shown as \\u{…}'])
  expect(hiddenParts('ls а')[0]).toContain('а (U+0430)')
  expect(hiddenParts(`ls${' '.repeat(80)}; rm -r /`)[0]).toContain('80 blanks')
  expect(hiddenParts('x\n'.repeat(30))[0]).toBe('31 lines')
})
