import type {
  AnswerSubmitted,
  OverrideItem,
  RunFinished,
  VoteCast,
  VotingCompleted,
} from '../../view/transcript-item.ts'
import { type Block, clickable, emptyBlock, shift, stack, textBlock } from '../draw/block.ts'
import { markdownLines } from '../draw/markdown.ts'
import { type Piece, fit, row, spread } from '../draw/row.ts'
import { type Theme, oneLine } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import { byWhom } from './by-whom.ts'
import type { ItemOptions } from './draw-item.ts'
import { plainWords } from './plain-words.ts'

export function answerSubmitted(
  theme: Theme,
  item: AnswerSubmitted,
  { width, expanded }: ItemOptions,
): Block {
  const { label, text, files, added, removed, evidence, agent_id = 'agent', id } = item
  const left: Piece[] = [
    { text: expanded ? '▾ ' : '▸ ', style: 'dim' },
    { text: agent_id, also: 'bold' },
    { text: ` answers ${label}`, style: 'accent' },
  ]
  const right: Piece[] = [
    ...evidence.flatMap(({ name, status }): Piece[] => [
      { text: status === 'passed' ? '✔ ' : '✖ ', style: status === 'passed' ? 'success' : 'error' },
      { text: `${name}  `, style: 'dim' },
    ]),
    { text: files > 0 ? `+${added} −${removed}` : '', style: 'dim' },
  ]
  const head = clickable(spread(theme, left, right, width), { type: 'toggle_item', id }, width)
  const body = expanded
    ? markdownLines(theme, text.text, width - 4)
    : [theme.paint('dim', fit(oneLine(plainWords(firstLine(text.text))), width - 4))]
  return stack(head, shift(textBlock(body), 4))
}

export function voteCast(
  theme: Theme,
  { agent_id = '', label, reason }: VoteCast,
  { width }: ItemOptions,
): Block {
  return textBlock(wrapText(theme, 'dim', `● ${agent_id} votes ${label} "${reason}"`, width))
}

export function votingCompleted(theme: Theme, item: VotingCompleted, { width }: ItemOptions): Block {
  const votes = item.tally.map(({ agent, votes: count }) => `${agent} ${count}`).join(' · ')
  const margin = item.tie ? 'a tie, which goes to the first in the config' : `margin ${item.margin}`
  return row(
    theme,
    [
      { text: `Votes: ${votes}`, also: 'bold' },
      { text: `   winner ${item.winner}`, style: 'success' },
      { text: `   ${margin}`, style: 'dim' },
    ],
    width,
  )
}

export function override(theme: Theme, { state, chosen, by }: OverrideItem, { width }: ItemOptions): Block {
  switch (state) {
    case 'offered':
      // The card above the input says so.
      return emptyBlock
    case 'kept':
      return row(theme, [{ text: '· the vote stands', style: 'dim' }], width)
    case 'overridden':
      return row(
        theme,
        [{ text: `· ${byWhom(by) ?? 'you'} chose ${chosen ?? 'another agent'} to present`, style: 'wait' }],
        width,
      )
  }
}

export function runFinished(theme: Theme, { status, failure }: RunFinished, { width }: ItemOptions): Block {
  const said = failure ? `: ${failure.message}` : ''
  return textBlock([
    ...wrapText(theme, status === 'failed' ? 'error' : 'wait', `! the run ended: ${status}${said}`, width),
    ...(failure?.hint ? wrapText(theme, 'dim', `  ${failure.hint}`, width) : []),
  ])
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? ''
