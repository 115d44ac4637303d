import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const known = ['model', 'config', 'output-format', 'cd']

test('finds the word that was meant', () => {
  expect(suggest('modle', known)).toBe('model')
  expect(suggest('Config', known)).toBe('config')
  expect(suggest('outputformat', known)).toBe('output-format')
  expect(suggest('cs', known)).toBe('cd')
})

test('finds nothing where nothing is close', () => {
  expect(suggest('zebra', known)).toBeUndefined()
  expect(suggest('', ['model'])).toBeUndefined()
  expect(suggest('model', [])).toBeUndefined()
})
