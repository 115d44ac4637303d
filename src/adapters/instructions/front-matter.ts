/**
 * The fields between two `---` lines at the start of a text: `key: value`, values plain, quoted, or as indented lines
 * below the key. Of YAML only what such files use, so that nothing in one can be expensive to read.
 */
export function readFrontMatter(text: string): { fields: Map<string, string>; body: string } {
  const lines = text.replace(/^\ufeff/u, '').split(/\r?\n/u)
  const end =
    lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
      : -1
  const fields = new Map<string, string>()
  if (end < 0) return { fields, body: text }
  let key = ''
  for (const line of lines.slice(1, end)) {
    const colon = line.indexOf(':')
    if (/^\s/u.test(line)) {
      if (key !== '') fields.set(key, `${fields.get(key) ?? ''} ${line.trim()}`.trim())
    } else if (colon > 0) {
      key = line.slice(0, colon).trim()
      fields.set(key, unquote(line.slice(colon + 1).trim()))
    } else key = ''
  }
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

function unquote(value: string): string {
  if (/^[>|][+-]?$/u.test(value)) return ''
  const quote = value[0]
  const quoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote)
  return quoted ? value.slice(1, -1) : value
}
