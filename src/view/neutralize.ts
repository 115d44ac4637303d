/**
 * Makes text from a model, tool, file name or error safe to show in a terminal: no escape sequence, control character,
 * bidirectional override or invisible character gets through. Line breaks and tabs stay.
 */
export function neutralize(text: string): string {
  return isPlain(text) ? text : text.replaceAll('\r\n', '\n').replaceAll(unsafe, show)
}

// C0 without tab and line feed, DEL, C1, zero-width and bidirectional controls, line and paragraph separators, BOM, tags.
// eslint-disable-next-line no-control-regex
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

// eslint-disable-next-line no-control-regex
const isPlain = (text: string): boolean => /^[\n\t\u0020-\u007e]*$/.test(text)

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '\u2421' : `\\u{${code.toString(16)}}`
}

/** JSON for a pipe or a terminal: the same value, with everything a terminal could act on written as an escape. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(unsafe, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
