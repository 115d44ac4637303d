/**
 * What a person sees as one character. Most text is plain: then this is a walk over it, and Unicode's data, which takes
 * 13 ms to be loaded, is left alone. The build has pi-tui use it too (scripts/patch-pi-tui.mjs).
 */
export const graphemes = {
  segment(text: string): Iterable<Intl.SegmentData> {
    for (let index = 0; index < text.length; index++) {
      if (!isPlain(text.charCodeAt(index))) return unicode().segment(text)
    }
    return Array.from(text, (segment, index) => ({ segment, index, input: text }))
  },
}

/** Words, by the same data; loaded when first used. */
export const words = {
  segment: (text: string): Intl.Segments =>
    (wordSegmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })).segment(text),
}

/** Whether all of a text is one emoji that is always drawn as a picture. Even making the pattern takes 20 ms. */
export const emoji = {
  test: (text: string): boolean => (emojiPattern ??= /^\p{RGI_Emoji}$/v).test(text),
}

/** A character of one UTF-16 unit that is one column wide and never joins with a neighbour that is plain too. */
export function isPlain(code: number): boolean {
  if (code < 0x7f) return code >= 0x20
  if (code < 0x300) return code >= 0xa1 && code !== 0xad
  if (code < 0x2010 || code > 0x276f) return false
  // Punctuation, arrows and signs of mathematics, pictures of control characters, frames and blocks; then ✔ ✖ ❯.
  return (
    code <= 0x2027 ||
    (code >= 0x2030 && code <= 0x205e) ||
    (code >= 0x2190 && code <= 0x22ff) ||
    (code >= 0x2400 && code <= 0x2426) ||
    (code >= 0x2500 && code <= 0x25fc) ||
    code === 0x2714 ||
    code === 0x2716 ||
    code === 0x276f
  )
}

let graphemeSegmenter: Intl.Segmenter | undefined
let wordSegmenter: Intl.Segmenter | undefined
let emojiPattern: RegExp | undefined

const unicode = (): Intl.Segmenter => (graphemeSegmenter ??= new Intl.Segmenter())
