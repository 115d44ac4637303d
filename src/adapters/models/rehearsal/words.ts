/** A word of a prompt, or a quoted stretch of it. */
export interface Word {
  /** Without quotes; a bare word also without the punctuation around it. */
  text: string
  lower: string
  quoted: boolean
  start: number
  end: number
}

const closers: Record<string, string> = { '`': '`', '"': '"', "'": "'", '“': '”', '‘': '’', '«': '»' }

/** Splits a prompt into words, keeping what stands in quotes together. */
export function wordsOf(prompt: string): Word[] {
  const words: Word[] = []
  let at = 0
  while (at < prompt.length) {
    if (isSpace(prompt[at])) {
      at++
      continue
    }
    const end = endOfQuote(prompt, at)
    if (end !== undefined) {
      const text = prompt.slice(at + 1, end)
      words.push({ text, lower: text.toLowerCase(), quoted: true, start: at, end: end + 1 })
      at = end + 1
      continue
    }
    const stop = endOfBareWord(prompt, at)
    const word = prompt.slice(at, stop)
    const text = withoutPunctuation(word)
    const start = at + word.indexOf(text)
    if (text !== '')
      words.push({ text, lower: text.toLowerCase(), quoted: false, start, end: start + text.length })
    at = stop
  }
  return words
}

/** `it's` holds an apostrophe; a quotation begins after a space or bracket and ends before one. */
function endOfQuote(prompt: string, at: number): number | undefined {
  const close = Object.hasOwn(closers, prompt[at] ?? '') ? closers[prompt[at] ?? ''] : undefined
  if (close === undefined) return undefined
  const lineEnd = prompt.indexOf('\n', at)
  const limit = lineEnd === -1 ? prompt.length : lineEnd
  for (
    let end = prompt.indexOf(close, at + 1);
    end !== -1 && end < limit;
    end = prompt.indexOf(close, end + 1)
  ) {
    if (end > at + 1 && !isWordCharacter(prompt[end + 1])) return end
  }
  return undefined
}

function endOfBareWord(prompt: string, start: number): number {
  let at = start + 1
  while (at < prompt.length && !isSpace(prompt[at]) && prompt[at] !== '`') at++
  return at
}

/** Keeps what can belong to a name or path: `$x`, `.btn`, `#id`, `empty?`, `x()`, `src/`. */
function withoutPunctuation(word: string): string {
  return word.replace(/^[([{<,;:"'“‘«]+(?=.)/, '').replace(/(?:[\]},;:"'”’».]|(?<!\()\))+$/, '')
}

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character)
const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)
