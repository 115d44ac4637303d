import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits } from '../../../tools/apply-edits.ts'
import { renameEdits } from './edits.ts'
import { renameIdentifier } from './identifier.ts'

test('a line that occurs once needs no context', () => {
  expect(renameEdits('a = 1\nb = old(2)\n', 'old', 'fresh', 'x.js')).toEqual([
    { old_text: 'b = old(2)', new_text: 'b = fresh(2)' },
  ])
})

test('equal lines are told apart by their neighbours', () => {
  expect(renameEdits('a\nold()\nb\nold()\nc', 'old', 'fresh', 'x.js')).toEqual([
    { old_text: 'old()\nb', new_text: 'fresh()\nb' },
    { old_text: 'old()', new_text: 'fresh()' },
  ])
})

test('very many uses are replaced together, one edit for each way of using the name', () => {
  const edits = renameEdits('old()\n'.repeat(100), 'old', 'fresh', 'x.js')
  expect(edits).toEqual([{ old_text: 'old(', new_text: 'fresh(', replace_all: true }])
})

test('whatever the text, the edits apply one after the other and lead to the renamed text', () => {
  const piece = fc.constantFrom(
    'old',
    'older',
    'gold',
    'old()',
    ' ',
    '\n',
    '\n',
    '\r\n',
    '  ',
    'x',
    '//',
    '"',
    '`',
    'fresh',
    '$&',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.constantFrom('a.js', 'a.md', 'a.css', 'a.py'),
      fc.constantFrom(1, 1, 20),
      (pieces, path, copies) => {
        const file = pieces.join('').repeat(copies)
        // What the read tool shows of it.
        const shown = file.replaceAll('\r\n', '\n')
        const edits = renameEdits(shown, 'old', 'fresh', path)
        if (edits.length === 0) {
          expect(renameIdentifier(shown, 'old', 'fresh', path)).toBe(shown)
          return
        }
        expect(applyEdits(shown, edits)).toEqual({ text: renameIdentifier(shown, 'old', 'fresh', path) })
      },
    ),
    { numRuns: 2_000 },
  )
})
