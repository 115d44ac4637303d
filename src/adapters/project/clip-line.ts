/** One line without control or invisible characters, cut to a length. */
export function clipLine(text: string, longest: number): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
