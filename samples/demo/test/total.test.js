import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calcTotalTax } from '../src/tax.js'
import { calcTotal, calcTotals } from '../src/total.js'

const lines = [
  { name: 'Bread', price: 320, quantity: 2 },
  { name: 'Coffee', price: 899, quantity: 1 },
]

test('calcTotal adds up price times quantity', () => {
  assert.equal(calcTotal(lines), 1539)
  assert.equal(calcTotal([]), 0)
})

test('calcTotals lists one total per order', () => {
  assert.deepEqual(calcTotals([{ lines }, { lines: [] }]), [1539, 0])
})

test('calcTotalTax is the tax contained in a total', () => {
  assert.equal(calcTotalTax(11900), 1900)
})
