import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heights } from './heights.ts'

test('sums and searches agree with adding up by hand', () => {
  const changes = fc.array(fc.tuple(fc.nat(199), fc.nat(400)), { maxLength: 60 })
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 4 }),
      changes,
      (sizes, sets) => {
        const heights = new Heights(80)
        let plain: number[] = []
        for (const size of sizes) {
          heights.resize(size)
          plain =
            size < plain.length ? Array(size).fill(80) : [...plain, ...Array(size - plain.length).fill(80)]
          for (const [row, height] of sets) {
            if (row >= size) continue
            heights.set(row, height)
            plain[row] = height
          }
        }
        let sum = 0
        for (const [row, height] of plain.entries()) {
          expect(heights.before(row)).toBe(sum)
          if (height > 0) expect(heights.rowAt(sum)).toBe(row)
          if (height > 1) expect(heights.rowAt(sum + height - 1)).toBe(row)
          sum += height
        }
        expect(heights.total).toBe(sum)
      },
    ),
  )
})

test('an offset beyond the end is in the last row, and an empty list has none to give', () => {
  const heights = new Heights(10)
  expect(heights.rowAt(5)).toBe(0)
  heights.resize(3)
  expect(heights.rowAt(1000)).toBe(2)
  expect(heights.total).toBe(30)
})
