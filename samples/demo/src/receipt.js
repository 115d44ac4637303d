import { discountFor } from './discount.js'
import { showMoney } from './money.js'
import { calcTotalTax } from './tax.js'
import * as totals from './total.js'

/** The receipt as lines of text. */
export function receipt(cart) {
  const sum = totals.calcTotal(cart.lines)
  const due = sum - discountFor(cart.lines)
  return [
    ...cart.lines.map((line) => `${line.quantity} x ${line.name}  ${showMoney(line.price * line.quantity)}`),
    `Sum       ${showMoney(sum)}`,
    `Discount  ${showMoney(sum - due)}`,
    `To pay    ${showMoney(due)}`,
    `Tax       ${showMoney(calcTotalTax(due))}`,
  ]
}
