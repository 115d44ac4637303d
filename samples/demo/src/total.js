/** Adds up the lines of an order, in cents. */
export function calcTotal(lines) {
  return lines.reduce((sum, line) => sum + line.price * line.quantity, 0)
}

/** The totals of several orders. */
export const calcTotals = (orders) => orders.map((order) => calcTotal(order.lines))
