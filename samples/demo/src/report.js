import { showMoney } from './money.js'
import { calcTotal, calcTotals } from './total.js'

/** One line about a day's orders. */
export function dailyReport(orders) {
  const all = orders.flatMap((order) => order.lines)
  const largest = Math.max(0, ...calcTotals(orders))
  return `${orders.length} orders, ${showMoney(calcTotal(all))} in all, the largest ${showMoney(largest)}`
}
