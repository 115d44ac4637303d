import type { RunId, TurnId } from '../../schema/ids.ts'
import type { RunView } from '../../view/run-view.ts'
import type { ToolCallItem, ToolStatus } from '../../view/transcript-item.ts'
import { type Block, clickable, emptyBlock, shift, stack, textBlock } from '../draw/block.ts'
import { diffStyle, highlightLine } from '../draw/highlight.ts'
import { fit, row, spread } from '../draw/row.ts'
import { type Style, type Theme, oneLine } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import type { ItemOptions } from './draw-item.ts'
import { seconds } from './seconds.ts'

/** How much of a result is drawn even when it is shown whole. */
const MOST_LINES = 400
const INDENT = 4
/** What a running call printed is shown by its end. */
const LIVE_CHARACTERS = 8_000

/** One line for the call; with its diff or result below it when it is open. */
export function toolCall(theme: Theme, item: ToolCallItem, options: ItemOptions): Block {
  const { width, expanded } = options
  const { name, summary, status, duration_ms, id } = item
  const [mark, style] = marks[status]
  const left = [
    { text: expanded ? '▾ ' : '▸ ', style: 'dim' as const },
    { text: `${mark} `, style },
    { text: name.padEnd(12), also: 'bold' as const },
    { text: ` ${summary}` },
  ]
  const right = [
    { text: resultNote(item), style: 'dim' as const },
    { text: duration_ms === undefined ? '' : `  ${seconds(duration_ms)}`, style: 'dim' as const },
  ]
  const head = clickable(spread(theme, left, right, width), { type: 'toggle_item', id }, width)
  const inner = width - INDENT
  const body = expanded ? bodyLines(theme, item, inner) : diffPreview(theme, item, inner)
  const below = stack(
    subtaskRows(theme, item, inner),
    childRow(theme, item, options, inner),
    textBlock([...body, ...printed(theme, options.output ?? '', { expanded, width: inner })]),
  )
  return stack(head, shift(below, INDENT))
}

/** Each task of a delegation; a click shows what its sub-agent does. */
function subtaskRows(theme: Theme, { subtasks = [] }: ToolCallItem, width: number): Block {
  return stack(
    ...subtasks.map(({ id, status, task, turn_id }) => {
      const line = row(
        theme,
        [
          { text: `${subtaskMarks[status] ?? '·'} `, style: subtaskStyles[status] ?? 'dim' },
          { text: `${id} ${task}`, style: 'dim' },
          { text: turn_id ? '  ↳ open' : '', style: 'accent' },
        ],
        width,
      )
      const agent = turn_id && { turn_id, name: id }
      return agent ? clickable(line, { type: 'look_inside', agent }, width) : line
    }),
  )
}

/** The way to what a sub-agent or a launched team does. */
function childRow(theme: Theme, { child, name }: ToolCallItem, { run }: ItemOptions, width: number): Block {
  if (!child) return emptyBlock
  if (!child.startsWith('run_')) {
    const agent = { turn_id: child as TurnId, name }
    const line = row(theme, [{ text: '↳ open what the sub-agent does', style: 'accent' }], width)
    return clickable(line, { type: 'look_inside', agent }, width)
  }
  const doing = run ? describeRun(run) : 'begins'
  const line = row(
    theme,
    [
      { text: '↳ team: ', style: 'accent' },
      { text: doing, style: 'dim' },
      { text: '   [ open the team ]', style: 'accent' },
    ],
    width,
  )
  return clickable(line, { type: 'show_team', shown: true, run_id: child as RunId }, width)
}

function describeRun({ status, agents, round, answers, votes, winner }: RunView): string {
  const names = agents.map(({ agent_id }) => agent_id).join(', ')
  if (status !== 'working') return `${names} · ${status}${winner ? ` · winner ${winner}` : ''}`
  return `${names} · round ${round} · answers ${answers}/${agents.length} · votes ${votes}`
}

/** The end of what a running call prints. */
function printed(theme: Theme, output: string, { expanded, width }: ItemOptions): string[] {
  if (output === '') return []
  const lines = output.trimEnd().slice(-LIVE_CHARACTERS).split('\n')
  const most = expanded ? 40 : 4
  return lines.slice(-most).map((line) => theme.paint('dim', fit(oneLine(line.replace(/^.*\r/, '')), width)))
}

const marks: Record<ToolStatus, [string, Style]> = {
  waiting: ['◌', 'wait'],
  running: ['●', 'accent'],
  ok: ['✔', 'success'],
  failed: ['✖', 'error'],
  interrupted: ['◼', 'wait'],
}

const subtaskMarks: Record<string, string> = {
  complete: '✔',
  failed: '✖',
  running: '●',
  skipped: '–',
  waiting: '◌',
}

const subtaskStyles: Record<string, Style> = { complete: 'success', failed: 'error', running: 'accent' }

function resultNote({ status, output, diff, files }: ToolCallItem): string {
  if (diff) {
    const lines = diff.split('\n')
    const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
    return `+${count('+')} −${count('-')}`
  }
  if (status === 'waiting') return 'waits for you'
  if (status === 'running') return 'running'
  if (files && files.length > 1) return `${files.length} files`
  if (!output) return ''
  const lines = output.text.split('\n').length
  return output.clipped
    ? `${output.length} characters`
    : lines === 1
      ? fit(oneLine(output.text), 40)
      : `${lines} lines`
}

/** A change is worth seeing at once; six lines say what it is about. */
function diffPreview(theme: Theme, { diff }: ToolCallItem, width: number): string[] {
  if (!diff) return []
  const lines = diff.split('\n').filter((line) => /^[-+]/.test(line))
  const shown = lines.slice(0, 6).map((line) => theme.paint(diffStyle(line), fit(oneLine(line), width)))
  return lines.length > 6 ? [...shown, theme.paint('dim', `… ${lines.length - 6} more changed lines`)] : shown
}

function bodyLines(theme: Theme, { call, diff, output }: ToolCallItem, width: number): string[] {
  const input = diff ? [] : inputLines(call.input).flatMap((line) => wrapText(theme, 'dim', line, width))
  const changed = diff
    ? diff.split('\n').map((line) => highlightLine(theme, fit(oneLine(line), width), 'diff'))
    : []
  const result = output ? wrapText(theme, 'text', withoutDiff(output.text, diff), width) : []
  const lines = [...input, ...changed, ...result]
  if (lines.length <= MOST_LINES) return lines
  const left = lines.length - MOST_LINES
  return [
    ...lines.slice(0, MOST_LINES),
    theme.paint('dim', `… ${left} more lines (conclave sessions show has all)`),
  ]
}

/** The model is told the change too; a person sees it above. */
function withoutDiff(text: string, diff: string | undefined): string {
  const shown = diff?.trim()
  return shown ? text.replace(shown, '').trim() : text
}

const inputLines = (input: Record<string, unknown>): string[] =>
  Object.entries(input).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
