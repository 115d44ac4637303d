import { type Block, crop, stack, textBlock } from '../draw/block.ts'
import { box, innerWidth } from '../draw/box.ts'
import { type Piece, row, widthOf } from '../draw/row.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import { cardOf } from '../state/reduce.ts'
import type { UiState } from '../state/ui-state.ts'
import { type CardModel, cardModel } from './card-model.ts'
import type { ScenePending } from './scene.ts'

export interface DrawnCard {
  block: Block
  model: CardModel
  /** Everything that is to be approved is or was on the screen. */
  seen: boolean
  /** Lines it can still be scrolled. */
  below: number
  /** Lines it was scrolled by, of how many are shown, and at what width. */
  above: number
  room: number
  width: number
}

/** What waits for the person, just above the mode bar and the input. */
export function card(
  theme: Theme,
  waiting: ScenePending,
  ui: UiState,
  size: { width: number; height: number },
): DrawnCard {
  const model = cardModel(waiting)
  const state = cardOf(ui, waiting.pending.id)
  const inner = innerWidth(size.width)
  const body = textBlock(model.body.flatMap(({ text, style }) => wrapText(theme, style, text, inner)))
  const choices = state.writing
    ? textBlock(wrapText(theme, 'wait', prompts[state.writing], inner))
    : choiceRows(theme, model, state.selected, inner)
  const room = Math.max(1, size.height - choices.lines.length - 3)
  const most = Math.max(0, body.lines.length - room)
  const from = state.width === size.width ? Math.min(state.scroll, most) : 0
  const below = most - from
  const hidden = body.lines.length - room
  const more =
    hidden > 0
      ? row(
          theme,
          [
            {
              text: below > 0 ? `↓ ${below} more lines: PageDown to read them` : '— end —',
              style: below > 0 ? 'error' : 'dim',
            },
          ],
          inner,
        )
      : textBlock([])
  const hint = model.free_text
    ? row(theme, [{ text: 'or type an answer', style: 'dim' }], inner)
    : textBlock([])
  const content = stack(crop(body, from, room), more, choices, hint)
  const block = box(theme, content, {
    title: model.title,
    note: model.note,
    style: model.style,
    width: size.width,
  })
  return { block, model, seen: state.seen || below === 0, below, above: from, room, width: size.width }
}

const prompts = {
  reason: 'Why not? Type it below and press Enter; Esc goes back',
  edit: 'Change it below and press Enter: the agent is told to call that instead, and you are asked again; Esc goes back',
}

function choiceRows(theme: Theme, model: CardModel, selected: number, width: number): Block {
  const current = selected >= 0 ? selected : model.usual
  const lines: Piece[][] = [[]]
  for (const [index, { key, label, description, action }] of model.choices.entries()) {
    const pieces: Piece[] = [
      { text: `${key} `, style: 'accent', action },
      {
        text: label,
        ...(index === current && { style: 'selected' as const, also: 'bold' as const }),
        action,
      },
      ...(description ? [{ text: ` ${description}`, style: 'dim' as const, action }] : []),
      ...(index === model.usual ? [{ text: ' ↵', style: 'dim' as const }] : []),
      { text: '   ' },
    ]
    const last = lines.at(-1) ?? []
    if (last.length > 0 && widthOf(last) + widthOf(pieces) > width) lines.push(pieces)
    else last.push(...pieces)
  }
  return stack(...lines.map((pieces) => row(theme, pieces, width)))
}
