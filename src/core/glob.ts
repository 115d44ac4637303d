/** Whether a text fits a pattern in which `*` stands for any run of characters. Linear; no regular expression is built. */
export function fits(pattern: string, text: string): boolean {
  const pieces = pattern.split('*')
  const [first = ''] = pieces
  if (pieces.length === 1) return pattern === text
  const last = pieces.at(-1) ?? ''
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false
  let at = first.length
  const end = text.length - last.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return at <= end
}
