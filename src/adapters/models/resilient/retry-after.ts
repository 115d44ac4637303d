/**
 * How long a provider asks to wait, from its headers: seconds, milliseconds or a date. Nothing when it does not say, or
 * says something that is no time.
 */
export function readRetryAfter(
  headers: Record<string, string | string[] | undefined>,
  now: number,
): number | undefined {
  const milliseconds = readNumber(headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const given = headers['retry-after']
  const seconds = readNumber(given)
  if (seconds !== undefined) return seconds * 1000
  // Only what looks like an HTTP date: JavaScript takes far too much for one.
  if (typeof given !== 'string' || !/^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(given)) return undefined
  const date = Date.parse(given)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function readNumber(given: string | string[] | undefined): number | undefined {
  if (typeof given !== 'string' || !/^\s*\d{1,12}(\.\d+)?\s*$/.test(given)) return undefined
  return Number(given)
}
