import { Markdown, type MarkdownTheme } from '@earendil-works/pi-tui'
import { neutralize } from '../../view/neutralize.ts'
import { highlightLine } from './highlight.ts'
import type { Theme } from './theme.ts'

/** Markdown from a model as lines of at most `width`. */
export function markdownLines(theme: Theme, text: string, width: number): string[] {
  const source = neutralize(text)
  const drawn = new Markdown(source, 0, 0, markdownTheme(theme), undefined, {
    preserveOrderedListMarkers: true,
    renderLatex: false,
  }).render(Math.max(1, width))
  return drawn.map((line) => line.trimEnd())
}

/** Text that is still growing: what is settled is drawn once, only its end is drawn again. */
export class StreamingMarkdown {
  readonly #theme: Theme
  readonly #width: number
  #settled = 0
  #lines: string[] = []

  constructor(theme: Theme, width: number) {
    this.#theme = theme
    this.#width = width
  }

  /** `text` begins with what it was the last time. */
  lines(text: string): string[] {
    const end = lastBreak(text, this.#settled)
    if (end > this.#settled) {
      this.#lines = [...this.#lines, ...this.#draw(text.slice(this.#settled, end)), '']
      this.#settled = end
    }
    const tail = text.slice(this.#settled)
    return tail.trim() === '' ? this.#lines : [...this.#lines, ...this.#draw(tail)]
  }

  #draw(text: string): string[] {
    return markdownLines(this.#theme, text, this.#width)
  }
}

/** The end of the last paragraph that nothing to come can change: after an empty line outside a fence. */
function lastBreak(text: string, from: number): number {
  let fenced = false
  let end = from
  for (let at = from; ;) {
    const newline = text.indexOf('\n', at)
    if (newline === -1) return end
    const line = text.slice(at, newline)
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    at = newline + 1
    if (!fenced && line.trim() === '' && at > from + 1) end = at
  }
}

function markdownTheme(theme: Theme): MarkdownTheme {
  const style =
    (name: Parameters<Theme['wrap']>[0]) =>
    (text: string): string =>
      theme.wrap(name, text)
  return {
    heading: (text) => theme.wrap('bold', theme.wrap('accent', text)),
    link: style('underline'),
    linkUrl: style('dim'),
    code: style('code'),
    codeBlock: style('code'),
    codeBlockBorder: style('border'),
    quote: style('italic'),
    quoteBorder: style('border'),
    hr: style('border'),
    listBullet: style('accent'),
    bold: style('bold'),
    italic: style('italic'),
    strikethrough: style('strike'),
    underline: style('underline'),
    highlightCode: (code, language) => code.split('\n').map((line) => highlightLine(theme, line, language)),
  }
}
