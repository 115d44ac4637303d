/** Longer texts are drawn by their beginning: wrapping megabytes would hold up every key. The log has all of it. */
const LONGEST = 60_000

export function drawable(text: string): string {
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST)}\n\n… ${text.length - LONGEST} more characters (conclave sessions show has all)`
}
