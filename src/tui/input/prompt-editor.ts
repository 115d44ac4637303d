import { Editor, type EditorTheme, type TUI } from '@earendil-works/pi-tui'
import { AttachedPictures } from './attached-pictures.ts'

const TOP = 'top'
const BOTTOM = 'bottom'

/** The input of several lines, without the frame that pi-tui draws around it. */
export class PromptEditor extends Editor {
  readonly pictures = new AttachedPictures()
  /** Keys that wait, in their order, while a picture is on its way to where the cursor is. */
  held: string[] | undefined

  constructor(tui: TUI, theme: EditorTheme) {
    super(tui, theme, { paddingX: 0, autocompleteMaxVisible: 8 })
    keepTokensWhole(this, this.pictures)
  }

  /** The lines of the text, and below them those of the completions. */
  draw(width: number): { lines: string[]; completions: string[] } {
    const all = this.render(width)
    const end = all.indexOf(BOTTOM)
    return { lines: all.slice(1, end), completions: all.slice(end + 1) }
  }

  /** As if it had been pasted: what is long becomes a placeholder. */
  paste(text: string): void {
    this.handleInput(`\u001b[200~${text}\u001b[201~`)
  }

  /** Puts words in at the cursor, apart from what is before them. */
  insertWords(words: string): void {
    const { line, col } = this.getCursor()
    const before = this.getLines()[line]?.slice(0, col) ?? ''
    this.insertTextAtCursor(`${/\S$/.test(before) ? ' ' : ''}${words} `)
  }

  protected override renderTopBorder(): string {
    return TOP
  }

  protected override renderBottomBorder(): string {
    return BOTTOM
  }
}

type Segment = (text: string, mode: 'grapheme' | 'word') => Iterable<Part>
type Part = Pick<Intl.SegmentData, 'segment' | 'index' | 'input' | 'isWordLike'>

/**
 * pi-tui takes its own placeholders for pastes as one character, to move over and to delete. Its way of doing so is
 * private; tokens go the same way. Among words a token must look like one: with blanks it would count as a blank.
 */
function keepTokensWhole(editor: PromptEditor, pictures: AttachedPictures): void {
  const inner = editor as unknown as { segment: Segment }
  const segment = inner.segment.bind(editor)
  inner.segment = (text, mode) => {
    const places = pictures.placesIn(text)
    if (places.length === 0) return segment(text, mode)
    const parts: Part[] = []
    for (const part of segment(text, mode)) {
      const place = places.find(({ from, to }) => part.index >= from && part.index < to)
      if (!place) parts.push(part)
      else if (part.index === place.from) {
        const { token, from: index } = place
        parts.push({
          ...{ index, input: text, isWordLike: true },
          segment: mode === 'word' ? 'x'.repeat(token.length) : token,
        })
      }
    }
    return parts
  }
}
