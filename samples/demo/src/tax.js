const RATE = 0.19

/** The tax contained in what calcTotal returns. Not to be confused with calcTotal itself. */
export function calcTotalTax(total) {
  return Math.round(total - total / (1 + RATE))
}
