/** `0.03 s`, `8.4 s`, `2:05`. */
export function seconds(milliseconds: number): string {
  if (milliseconds >= 60_000) return clockTime(milliseconds)
  const value = milliseconds / 1000
  return `${value.toFixed(value < 1 ? 2 : 1)} s`
}

/** `00:41`, `1:02:03`. */
export function clockTime(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
