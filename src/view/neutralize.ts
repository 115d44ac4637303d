/**
 * Makes text from a model, tool, file name or error safe to show in a terminal: no escape sequence, control character,
 * bidirectional override or invisible character gets through. Line breaks and tabs stay.
 */
export function neutralize(text: string): string {
  return isPlain(text) ? text : text.replaceAll('\r\n', '\n').replaceAll(unsafe, show)
}

// C0 without tab and line feed, DEL, C1, line and paragraph separators, annotations, and all that is invisible (zero
// width, bidirectional, fillers, tags), except the selectors that choose how the character before them is drawn.
const unsafe =
  /[[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]--[\ufe00-\ufe0f]]/gv

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
