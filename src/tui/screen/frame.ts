import { sliceByColumn, stripTerminalSequences, visibleWidth } from '@earendil-works/pi-tui'
import { type Block, crop, emptyBlock, shift, stack, textBlock } from '../draw/block.ts'
import { padTo, row } from '../draw/row.ts'
import { sink } from '../draw/sink.ts'
import type { Theme } from '../draw/theme.ts'
import { drawModal } from '../modals/draw-modal.ts'
import type { UiState } from '../state/ui-state.ts'
import { activity } from './activity.ts'
import { type DrawnCard, card } from './card.ts'
import { header } from './header.ts'
import { itemList } from './item-list.ts'
import { modeBar } from './mode-bar.ts'
import type { Scene } from './scene.ts'
import { statusLine } from './status-line.ts'
import { tabs } from './tabs.ts'
import { team } from './team.ts'
import { teamBoard } from './team-board.ts'
import type { TranscriptPane } from './transcript-pane.ts'
import { welcome } from './welcome.ts'

export interface FrameParts {
  theme: Theme
  scene: Scene
  ui: UiState
  /** Absent in the first frame. */
  pane?: TranscriptPane
  /** The input as lines, and the list of completions below it. */
  input: { lines: string[]; completions: string[] }
  width: number
  height: number
  /** What the thing under the pointer means. */
  hover?: string
}

export interface Frame {
  lines: string[]
  /** What can be clicked: only the modal's own while there is one. */
  hits: Block['hits']
  /** Where the input's lines are. */
  input: { row: number; height: number }
  /** Where the wheel scrolls the transcript. */
  transcript: { row: number; height: number }
  /** Lines of the Team tab, when it is shown. */
  team?: number
  card: DrawnCard | undefined
  modal: boolean
  /** How far the modal can be scrolled. */
  most?: number
}

/** The whole screen, exactly `height` lines. */
export function frame(parts: FrameParts): Frame {
  const { theme, scene, ui, width, height } = parts
  // A modal comes before the card, which would only show around it.
  const waiting = ui.modal ? undefined : scene.pendings[0]
  // On a small screen what waits for the person comes first.
  const tight = height < 10 || (height < 16 && waiting !== undefined)
  const top = stack(
    header(theme, scene, width),
    tight ? emptyBlock : tabs(theme, scene, ui, width),
    insideLine(theme, scene, width),
  )
  const status = tight ? emptyBlock : statusLine(theme, scene, ui, { width, hover: parts.hover })
  const input = inputBlock(theme, parts)
  const rule = height >= 16 ? textBlock([theme.wrap('border', '─'.repeat(width))]) : emptyBlock
  const bottomRows = input.lines.length + 2 + status.lines.length
  const room = height - top.lines.length - rule.lines.length - bottomRows
  const drawn = waiting
    ? card(theme, waiting, ui, { width, height: Math.max(5, tight ? room : Math.floor(room * 0.6)) })
    : undefined
  const board = ui.team_tab || height < 20 ? emptyBlock : teamBoard(theme, scene, width)
  const bottom = stack(
    board,
    activity(theme, scene, ui, width),
    drawn?.block ?? emptyBlock,
    modeBar(theme, scene, width),
    input,
    status,
  )
  const space = Math.max(0, height - top.lines.length - rule.lines.length - bottom.lines.length)
  const shown = ui.team_tab ? team(theme, scene, Math.max(1, width - 2)) : undefined
  const middle = fill(shown ? teamPart(shown, ui, space) : drawMiddle(parts, space), space)
  const all = stack(top, rule, middle, bottom)
  const screen = crop(all, Math.max(0, all.lines.length - height), height)
  const cut = all.lines.length - screen.lines.length
  const base = {
    input: {
      row: screen.lines.length - status.lines.length - input.lines.length,
      height: parts.input.lines.length,
    },
    transcript: { row: top.lines.length + rule.lines.length - cut, height: space },
    card: drawn,
    ...(shown && { team: shown.lines.length }),
  }
  const over = ui.modal && drawModal(theme, ui.modal, scene, { width, height: Math.max(3, height - 2) })
  if (!over) return { ...base, lines: screen.lines.map(sink), hits: screen.hits, modal: false }
  const placed = place(over, width, height)
  return {
    ...base,
    lines: overlay(theme, screen.lines, placed, width).map(sink),
    hits: placed.block.hits,
    modal: true,
    ...(over.most !== undefined && { most: over.most }),
  }
}

/** Whose work is shown, when it is a sub-agent's, and the way back. */
function insideLine(theme: Theme, { inside }: Scene, width: number): Block {
  if (!inside) return emptyBlock
  return row(
    theme,
    [
      {
        text: ` ‹ ${inside.join(' › ')}`,
        style: 'accent',
        action: { type: 'look_inside', agent: undefined },
      },
      { text: '   Esc goes back', style: 'dim' },
    ],
    width,
  )
}

function teamPart(block: Block, { team_scroll }: UiState, height: number): Block {
  return shift(crop(block, Math.min(team_scroll, Math.max(0, block.lines.length - height)), height), 1)
}

function drawMiddle({ theme, scene, ui, pane, width }: FrameParts, height: number): Block {
  const inner = { width: Math.max(1, width - 2), height }
  const list = itemList(scene)
  if (list.count === 0 || !pane) return shift(crop(welcome(theme, scene, inner), 0, height), 1)
  return shift(pane.draw(theme, list, ui, inner), 1)
}

function inputBlock(theme: Theme, { input, scene, width }: FrameParts): Block {
  const style = scene.mode.plan_mode === 'plan' ? 'plan' : 'act'
  const lines = input.lines.map((line, index) => `${theme.wrap(style, index === 0 ? '❯ ' : '  ')}${line}`)
  return textBlock(
    [...lines, ...input.completions.map((line) => `  ${line}`)].map((line) => padTo(line, width)),
  )
}

const fill = ({ lines, hits }: Block, height: number): Block => ({
  lines: [...lines.slice(0, height), ...Array.from({ length: Math.max(0, height - lines.length) }, () => '')],
  hits,
})

/** In the middle; the hits where they are on the screen. */
function place(
  block: Block,
  width: number,
  height: number,
): { block: Block; row: number; column: number; width: number } {
  const boxWidth = Math.max(...block.lines.map((line) => visibleWidth(line)))
  const row = Math.max(0, Math.floor((height - block.lines.length) / 2))
  const column = Math.max(0, Math.floor((width - boxWidth) / 2))
  const hits = block.hits.map((hit) => ({
    ...hit,
    row: hit.row + row,
    from: hit.from + column,
    to: hit.to + column,
  }))
  return { block: { lines: block.lines, hits }, row, column, width: boxWidth }
}

/** What is behind is grey: it can be read, and nothing in it can be clicked. */
function overlay(theme: Theme, lines: string[], placed: ReturnType<typeof place>, width: number): string[] {
  return lines.map((line, index) => {
    const behind = stripTerminalSequences(line)
    const over = placed.block.lines[index - placed.row]
    if (over === undefined) return theme.wrap('disabled', behind)
    const left = padTo(sliceByColumn(behind, 0, placed.column, true), placed.column)
    const right = sliceByColumn(behind, placed.column + placed.width, width - placed.column - placed.width)
    return `${theme.wrap('disabled', left)}\u001b[0m${over}\u001b[0m${theme.wrap('disabled', right)}`
  })
}
