/** Said of the last call of a reply that was cut off at its longest. */
export const CUT_CALL = 'the reply reached its longest length before they were whole; do it in smaller calls'

/** Whether the arguments of a call arrived whole. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
