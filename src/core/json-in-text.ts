/** The first JSON object in a text that may have prose or a code fence around it. Linear in the text's length. */
export function findJsonObject(text: string): Record<string, unknown> | undefined {
  for (let start = text.indexOf('{'); start >= 0;) {
    const end = matchingBrace(text, start)
    if (end < 0) return undefined
    const value = parse(text.slice(start, end + 1))
    if (value) return value
    start = text.indexOf('{', end + 1)
  }
  return undefined
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function matchingBrace(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let index = start; index < text.length; index++) {
    const sign = text[index]
    if (inString) {
      if (sign === '\\') index++
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return index
  }
  return -1
}
