import { Editor, type EditorTheme, type TUI } from '@earendil-works/pi-tui'

const TOP = 'top'
const BOTTOM = 'bottom'

/** The input of several lines, without the frame that pi-tui draws around it. */
export class PromptEditor extends Editor {
  constructor(tui: TUI, theme: EditorTheme) {
    super(tui, theme, { paddingX: 0, autocompleteMaxVisible: 8 })
  }

  /** The lines of the text, and below them those of the completions. */
  draw(width: number): { lines: string[]; completions: string[] } {
    const all = this.render(width)
    const end = all.indexOf(BOTTOM)
    return { lines: all.slice(1, end), completions: all.slice(end + 1) }
  }

  protected override renderTopBorder(): string {
    return TOP
  }

  protected override renderBottomBorder(): string {
    return BOTTOM
  }
}
