import type {
  GuidanceItem,
  InjectedUpdate,
  Notice,
  ObservationItem,
  PhaseItem,
  Retry,
  WrittenFiles,
} from '../../view/transcript-item.ts'
import { type Block, emptyBlock, shift, stack, textBlock } from '../draw/block.ts'
import { type Piece, row, spread } from '../draw/row.ts'
import type { Style, Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import type { ItemOptions } from './draw-item.ts'
import { seconds } from './seconds.ts'

export const aside = (theme: Theme, text: string, { width }: ItemOptions, style: Style = 'dim'): Block =>
  textBlock(wrapText(theme, style, `· ${text.trim()}`, width))

const phaseStyles: Partial<Record<PhaseItem['phase'], Style>> = {
  Planning: 'plan',
  Acting: 'act',
  Observing: 'dim',
  Reflecting: 'accent',
  Failed: 'error',
}

/** Where an agent is in its loop. The end of a turn needs no line of its own. */
export function phase(theme: Theme, item: PhaseItem, { width }: ItemOptions): Block {
  const style = phaseStyles[item.phase]
  if (!style) return emptyBlock
  const detail = item.detail ? `  ${item.detail.trim().split('\n', 1)[0]}` : ''
  const again = item.phase === 'Planning' && item.iteration > 1 ? ` ${item.iteration}` : ''
  return row(
    theme,
    [
      { text: `${item.agent_id ?? 'agent'} · `, style: 'dim' },
      { text: `${item.phase}${again}`, style },
      { text: detail, style: 'dim' },
    ],
    width,
  )
}

export function observation(
  theme: Theme,
  { results, agent_id = 'agent' }: ObservationItem,
  { width }: ItemOptions,
): Block {
  const parts = results.flatMap(({ success, tool }): Piece[] => [
    { text: success ? ' ✔ ' : ' ✖ ', style: success ? 'success' : 'error' },
    { text: tool, style: 'dim' },
  ])
  const total = results.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
  const head: Piece[] = [{ text: `${agent_id} · Observing `, style: 'dim' }]
  return spread(theme, [...head, ...parts], [{ text: seconds(total), style: 'dim' }], width)
}

export function guidance(theme: Theme, { text, taken }: GuidanceItem, { width }: ItemOptions): Block {
  const head = row(
    theme,
    [
      { text: 'You', style: 'accent', also: 'bold' },
      { text: taken ? ' · told the agent' : ' · will be told at its next step', style: 'dim' },
    ],
    width,
  )
  return stack(head, shift(textBlock(wrapText(theme, 'text', text, width - 2)), 2))
}

export function injectedUpdate(
  theme: Theme,
  { labels, text }: InjectedUpdate,
  { width }: ItemOptions,
): Block {
  const from = labels.length > 0 ? ` (${labels.join(', ')})` : ''
  return textBlock(
    wrapText(theme, 'accent', `⇢ update from the team${from}${text ? `: ${text}` : ''}`, width),
  )
}

export const retry = (theme: Theme, { attempt, delay_ms, reason }: Retry, options: ItemOptions): Block =>
  aside(theme, `attempt ${attempt} in ${seconds(delay_ms)}: ${reason}`, options, 'wait')

/** More files than this are counted, not listed. */
const LISTED = 5

export function writtenFiles(
  theme: Theme,
  { files, footer }: WrittenFiles,
  { width, expanded }: ItemOptions,
): Block {
  if (files.length === 0 && !footer) return emptyBlock
  if (footer) return textBlock(wrapText(theme, 'dim', footer, width))
  const title = files.length > LISTED && !expanded ? `${files.length} files written` : 'Files written:'
  const named = files
    .slice(0, expanded ? files.length : LISTED)
    .map(({ path, change }) => `${path} (${change})`)
  return textBlock([theme.paint('dim', title), ...wrapText(theme, 'dim', `  ${named.join('   ')}`, width)])
}

export function notice(theme: Theme, { tone, text, hint, agent_id }: Notice, { width }: ItemOptions): Block {
  const style: Style = tone === 'error' ? 'error' : tone === 'warning' ? 'wait' : 'dim'
  const mark = tone === 'info' ? '·' : '!'
  return textBlock([
    ...wrapText(theme, style, `${mark} ${agent_id ? `${agent_id}: ` : ''}${text}`, width),
    ...(hint ? wrapText(theme, 'dim', `  ${hint}`, width) : []),
  ])
}
