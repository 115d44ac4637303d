import type { Action } from '../state/action.ts'

/** A place that can be clicked: columns `from` up to but not including `to`. */
export interface Hit {
  row: number
  from: number
  to: number
  action: Action
}

/** Lines as they will be on the screen, and what can be clicked in them. */
export interface Block {
  lines: string[]
  hits: Hit[]
}

export const emptyBlock: Block = { lines: [], hits: [] }

export const textBlock = (lines: string[]): Block => ({ lines, hits: [] })

export function stack(...blocks: Block[]): Block {
  const lines: string[] = []
  const hits: Hit[] = []
  for (const block of blocks) {
    for (const hit of block.hits) hits.push({ ...hit, row: hit.row + lines.length })
    for (const line of block.lines) lines.push(line)
  }
  return { lines, hits }
}

export function shift(block: Block, columns: number): Block {
  const blanks = ' '.repeat(columns)
  return {
    lines: block.lines.map((line) => blanks + line),
    hits: block.hits.map((hit) => ({ ...hit, from: hit.from + columns, to: hit.to + columns })),
  }
}

/** The lines from `from`, at most `count`. */
export function crop({ lines, hits }: Block, from: number, count: number): Block {
  return {
    lines: lines.slice(from, from + count),
    hits: hits
      .filter(({ row }) => row >= from && row < from + count)
      .map((hit) => ({ ...hit, row: hit.row - from })),
  }
}

/** Every line of the block does the same when clicked. */
export const clickable = (block: Block, action: Action, width: number): Block => ({
  lines: block.lines,
  hits: [...block.hits, ...block.lines.map((_, row) => ({ row, from: 0, to: width, action }))],
})

export const hitAt = ({ hits }: Block, column: number, row: number): Action | undefined =>
  hits.find((hit) => hit.row === row && column >= hit.from && column < hit.to)?.action
