import { calcTotal } from './total.js'

const THRESHOLD = 10_000

/** Five percent off for large orders. */
export function discountFor(lines) {
  const total = calcTotal(lines)
  return total >= THRESHOLD ? Math.floor(total * 0.05) : 0
}
