/** Shows cents as an amount: 1234 is "12.34". */
export function showMoney(cents) {
  const sign = cents < 0 ? '-' : ''
  const whole = Math.floor(Math.abs(cents) / 100)
  const rest = String(Math.abs(cents) % 100).padStart(2, '0')
  return `${sign}${whole}.${rest}`
}
