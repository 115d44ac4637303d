import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cart } from '../src/cart.js'
import { receipt } from '../src/receipt.js'
import { dailyReport } from '../src/report.js'

test('a small cart is due in full', () => {
  assert.equal(new Cart().add('Bread', 320, 2).due(), 640)
})

test('a large cart gets a discount', () => {
  assert.equal(new Cart().add('Grinder', 10_000).due(), 9500)
})

test('the receipt ends with the tax', () => {
  const text = receipt(new Cart().add('Grinder', 11_900))
  assert.equal(text[1], 'Sum       119.00')
  assert.equal(text.at(-1), 'Tax       18.05')
})

test('the report sums up a day', () => {
  const orders = [new Cart().add('Bread', 320), new Cart().add('Coffee', 899)]
  assert.equal(dailyReport(orders), '2 orders, 12.19 in all, the largest 8.99')
})
