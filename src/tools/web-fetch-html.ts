import { decodeEntities } from './web-fetch-entities.ts'

/**
 * The readable text of a page: headings, lists, links and line breaks stay, scripts and styles go. One pass from left to
 * right, and whatever is not closed runs to the end, so a hostile page costs no more time than its length.
 */
export function htmlToText(html: string, base: string): string {
  const page = new Page(base)
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) {
      page.text(html.slice(at))
      break
    }
    if (open > at) page.text(html.slice(at, open))
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open + 4)
    } else if (html[open + 1] === '!' || html[open + 1] === '?') {
      at = after(html, '>', open)
    } else if (!/[A-Za-z/]/.test(html[open + 1] ?? '')) {
      page.text('<')
      at = open + 1
    } else {
      const tag = readTag(html, open)
      page.tag(tag)
      at = !tag.closing && RAW.has(tag.name) ? endOfRaw(html, tag.name, tag.end) : tag.end
    }
  }
  return page.finish()
}

interface Tag {
  name: string
  closing: boolean
  attributes: string
  end: number
}

/** Everything up to the `>` that is not in quotes. */
function readTag(html: string, open: number): Tag {
  const closing = html[open + 1] === '/'
  let at = open + (closing ? 2 : 1)
  const start = at
  while (at < html.length && isNameCharacter(html.charCodeAt(at))) at += 1
  const name = html.slice(start, Math.min(at, start + 20)).toLowerCase()
  const from = at
  let quote = ''
  for (; at < html.length; at += 1) {
    const character = html[at] ?? ''
    if (quote) {
      if (character === quote) quote = ''
    } else if ((character === '"' || character === "'") && html[at - 1] === '=') quote = character
    else if (character === '>') break
  }
  return { name, closing, attributes: html.slice(from, at), end: at + 1 }
}

const isNameCharacter = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 45

/** Elements whose content is not text for people. */
const RAW = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'textarea', 'select'])

function endOfRaw(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const end = at + 2 + name.length
    if (html.slice(at + 2, end).toLowerCase() === name && !isNameCharacter(html.charCodeAt(end))) {
      return after(html, '>', end)
    }
  }
  return html.length
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt figcaption figure footer form header hr main nav ol p pre section summary table tbody thead title ul h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
)

/** Collects text and knows where lines begin. */
class Page {
  readonly #base: string
  readonly #pieces: string[] = []
  #breaks = 2
  #space = false
  #preformatted = 0
  #link: string | undefined

  constructor(base: string) {
    this.#base = base
  }

  text(raw: string): void {
    const text = decodeEntities(raw)
    if (this.#preformatted > 0) return this.#put(text)
    const words = text.split(/[ \t\n\r\f\u00a0]+/)
    words.forEach((word, index) => {
      if (index > 0) this.#space = true
      if (word !== '') this.#put(word)
    })
  }

  tag({ name, closing, attributes }: Tag): void {
    if (name === 'br') return this.#break(1)
    if (name === 'pre') this.#preformatted = Math.max(0, this.#preformatted + (closing ? -1 : 1))
    if (BLOCKS.has(name)) this.#break(2)
    if (name === 'tr') this.#break(1)
    if ((name === 'td' || name === 'th') && closing) this.text(' | ')
    if (name === 'a') this.#toggleLink(closing, attributes)
    if (closing) return
    if (name === 'li') {
      this.#break(1)
      this.text('- ')
    }
    if (/^h[1-6]$/.test(name)) this.text(`${'#'.repeat(Number(name[1]))} `)
    const alt = name === 'img' ? attribute(attributes, 'alt') : ''
    if (alt) this.text(`[image: ${alt}]`)
  }

  finish(): string {
    return this.#pieces.join('').trim()
  }

  #toggleLink(closing: boolean, attributes: string): void {
    if (this.#link) this.text(` (${this.#link})`)
    this.#link = undefined
    if (closing) return
    const url = URL.parse(decodeEntities(attribute(attributes, 'href')), this.#base)
    if (url && url.href.length <= 500 && /^https?:$/.test(url.protocol) && !this.#isHere(url))
      this.#link = url.href
  }

  #isHere(url: URL): boolean {
    return url.href.split('#', 1)[0] === this.#base.split('#', 1)[0]
  }

  #put(text: string): void {
    if (this.#space && this.#breaks === 0) this.#pieces.push(' ')
    this.#space = false
    this.#breaks = 0
    this.#pieces.push(text)
  }

  /** At least this many line ends before what comes next. */
  #break(lines: number): void {
    for (; this.#breaks < lines; this.#breaks += 1) this.#pieces.push('\n')
    this.#space = false
  }
}

/** The value of an attribute; empty when it has none. */
function attribute(attributes: string, wanted: string): string {
  const found = ATTRIBUTE[wanted]?.exec(attributes.slice(0, 4_000))
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? ''
}

const ATTRIBUTE: Record<string, RegExp> = {
  href: /\shref=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  alt: /\salt=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
}
