import type { NamedPicture } from '../../schema/picture.ts'
import { oneLine } from '../draw/theme.ts'

export interface PicturePlace {
  picture: NamedPicture
  token: string
  from: number
  to: number
}

/** Of the name in a token; longer ones lose their middle. */
const LONGEST_NAME = 40
/** What servers take. */
const LONGEST_STORED_NAME = 200

/**
 * The pictures of this start, each with a token such as `[Picture 1: dot.png]` that stands for it in a text. A text
 * brings those pictures along whose tokens are in it, wherever it was kept meanwhile: in the input, in the queue, among
 * the earlier prompts. No two have the same number.
 */
export class AttachedPictures {
  readonly #known: { picture: NamedPicture; token: string }[] = []

  /** The token to put into the text. */
  add({ id, name = 'picture' }: NamedPicture): string {
    const line = oneLine(name).replaceAll(/\s+/g, ' ').slice(0, LONGEST_STORED_NAME)
    const token = `[Picture ${this.#known.length + 1}: ${shorten(line)}]`
    this.#known.push({ picture: { id, name: line }, token })
    return token
  }

  /** Where they are in a text. */
  placesIn(text: string): PicturePlace[] {
    if (this.#known.length === 0) return []
    return [...text.matchAll(/\[Picture (\d+): /g)].flatMap(({ 1: number, index }) => {
      const known = this.#known[Number(number) - 1]
      return known && text.startsWith(known.token, index)
        ? [{ ...known, from: index, to: index + known.token.length }]
        : []
    })
  }

  /** What is sent with a text, in the order of its tokens, each once. */
  in(text: string): NamedPicture[] {
    return [...new Set(this.placesIn(text).map(({ picture }) => picture))]
  }

  /** The text without tokens, for a time when nobody knows what they stood for. */
  spellOut(text: string): string {
    return this.placesIn(text).reduceRight(
      (rest, { picture, from, to }) => `${rest.slice(0, from)}${picture.name ?? ''}${rest.slice(to)}`,
      text,
    )
  }

  /** A message that was sent, as a text that brings its pictures along again. */
  restore(text: string, pictures: readonly NamedPicture[]): string {
    let rest = text
    let done = ''
    const added: string[] = []
    for (const picture of pictures) {
      const token = this.add(picture)
      const ends = token.slice(token.indexOf(':'))
      const old = [...rest.matchAll(/\[Picture \d+(?=: )/g)].find(({ 0: start, index }) =>
        rest.startsWith(ends, index + start.length),
      )
      if (!old) {
        added.push(token)
        continue
      }
      done += rest.slice(0, old.index) + token
      rest = rest.slice(old.index + old[0].length + ends.length)
    }
    return [done + rest, ...added].join(' ').trim()
  }
}

function shorten(name: string): string {
  const letters = [...name]
  if (letters.length <= LONGEST_NAME) return name
  return `${letters.slice(0, LONGEST_NAME - 13).join('')}…${letters.slice(-12).join('')}`
}
