import { toArray } from '../../core/list.ts'
import { type CoordinationRow, type RunView, coordinationTable } from '../../view/run-view.ts'
import { type Block, emptyBlock, shift, stack, textBlock } from '../draw/block.ts'
import { type Piece, fit, padTo, row } from '../draw/row.ts'
import { type Style, type Theme, oneLine } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import { describeCost, describeTokens } from './cost.ts'
import type { Scene } from './scene.ts'
import { stateStyles } from './tabs.ts'

/** The Team tab: every agent at a glance, who voted for what and why, and what happened when. */
export function team(theme: Theme, scene: Scene, width: number): Block {
  const run = scene.team_run ?? scene.run
  if (!run) return textBlock(['', theme.paint('dim', ' No team has worked in this chat yet.')])
  return stack(
    textBlock(wrapText(theme, 'dim', ` ${run.prompt.trim().split('\n', 1)[0] ?? ''}`, width).slice(0, 2)),
    textBlock(['']),
    table(theme, run, width),
    actions(theme, run, width),
    votes(theme, run, width),
    timeline(theme, run, width),
  )
}

/** From left to right; those that matter least are left out first when there is little room. */
type Column = 'agent' | 'state' | 'answer' | 'evidence' | 'diff' | 'tokens' | 'cost' | 'votes'

const order: readonly Column[] = ['agent', 'state', 'answer', 'evidence', 'diff', 'tokens', 'cost', 'votes']
const dispensable: readonly Column[] = ['tokens', 'diff', 'answer', 'evidence']

function table(theme: Theme, run: RunView, width: number): Block {
  const rows = coordinationTable(run).map((line) => cellsOf(line, run))
  const wide = (column: Column): number =>
    Math.max(column.length, ...rows.map((cells) => textOf(cells[column]).length)) + 2
  let shown = [...order]
  for (const column of dispensable) {
    if (shown.reduce((sum, name) => sum + wide(name), 1) <= width) break
    shown = shown.filter((name) => name !== column)
  }
  const line = (pieces: (column: Column) => Piece[]): Block =>
    row(theme, [{ text: ' ' }, ...shown.flatMap((column) => padded(pieces(column), wide(column)))], width)
  return stack(
    line((column) => [{ text: column, style: 'dim' }]),
    ...rows.map((cells) => line((column) => cells[column])),
  )
}

function cellsOf(line: CoordinationRow, run: RunView): Record<Column, Piece[]> {
  const { agent, state, answers, evidence, diff, is_winner, is_presenter } = line
  const usage = run.agents.find(({ agent_id }) => agent_id === agent)?.usage
  const mark = is_winner ? ' ★' : is_presenter ? ' ⇡' : ''
  const tokens = usage ? usage.input_tokens + usage.output_tokens : 0
  return {
    agent: [{ text: `${agent}${mark}`, also: 'bold', action: { type: 'pick_agent', agent_id: agent } }],
    state: [{ text: state, style: stateStyles[state] ?? 'dim' }],
    answer: [{ text: answers.at(-1) ?? '–', style: answers.length > 0 ? 'accent' : 'dim' }],
    evidence: evidence.length > 0 ? evidence.flatMap(evidencePieces) : [{ text: '–', style: 'dim' }],
    diff: [{ text: diff && diff.files > 0 ? `+${diff.added} −${diff.removed}` : '–', style: 'dim' }],
    tokens: [{ text: describeTokens(tokens), style: 'dim' }],
    cost: [{ text: usage ? describeCost(usage) : '$0.00', style: 'dim' }],
    votes: [
      { text: line.votes > 0 ? '●'.repeat(line.votes) : '–', style: line.votes > 0 ? 'accent' : 'dim' },
    ],
  }
}

export const evidenceMarks: Record<CoordinationRow['evidence'][number]['status'], [string, Style]> = {
  passed: ['✔', 'success'],
  failed: ['✖', 'error'],
  timeout: ['⌛', 'wait'],
  unavailable: ['?', 'dim'],
}

function evidencePieces({ name, status }: CoordinationRow['evidence'][number], index: number): Piece[] {
  const [mark, style] = evidenceMarks[status]
  return [
    { text: `${index > 0 ? '  ' : ''}${mark} `, style },
    { text: name, style: 'dim' },
  ]
}

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => oneLine(text)).join('')

const padded = (pieces: Piece[], width: number): Piece[] => [
  ...pieces,
  { text: ' '.repeat(Math.max(0, width - textOf(pieces).length)) },
]

function actions(theme: Theme, { run_id, agents }: RunView, width: number): Block {
  if (agents.filter(({ answers }) => answers.length > 0).length < 2) return emptyBlock
  const compare: Piece = {
    text: '[ Compare the answers ]',
    style: 'accent',
    action: { type: 'compare', run_id },
  }
  return stack(textBlock(['']), row(theme, [{ text: ' ' }, compare], width))
}

/** Who voted for what, and why; the one with the most votes first. */
function votes(theme: Theme, run: RunView, width: number): Block {
  const voters = run.agents.flatMap(({ agent_id, vote }) => (vote ? [{ agent_id, ...vote }] : []))
  if (voters.length === 0) return emptyBlock
  const chosen = [...new Set(voters.map((vote) => vote.for))]
  const counted = chosen.map((agent) => ({ agent, from: voters.filter((vote) => vote.for === agent) }))
  counted.sort((a, b) => b.from.length - a.from.length)
  const lines = counted.flatMap(({ agent, from }) => [
    theme.paint('text', `${agent} ${'●'.repeat(from.length)}`),
    ...from.flatMap(({ agent_id, label, reason }) =>
      wrapText(theme, 'dim', `${agent_id} → ${label} "${reason.trim()}"`, width - 6).map(
        (line) => `  ${line}`,
      ),
    ),
  ])
  return stack(textBlock(['', theme.wrap('bold', ' Votes')]), shift(textBlock(lines), 2))
}

function timeline(theme: Theme, run: RunView, width: number): Block {
  const entries = toArray(run.timeline)
  const name = Math.min(16, Math.max(4, ...entries.map(({ agent_id }) => agent_id?.length ?? 0)))
  const indent = 5 + 2 + name + 2
  const lines = entries.flatMap(({ at, agent_id, text }) => {
    const head = `${clock(at)}  ${padTo(fit(oneLine(agent_id ?? ''), name), name)}  `
    return wrapText(theme, 'dim', text, Math.max(10, width - indent - 2)).map((line, index) =>
      index === 0 ? `${theme.wrap('dim', head)}${line}` : `${' '.repeat(indent)}${line}`,
    )
  })
  return stack(textBlock(['', theme.wrap('bold', ' Timeline')]), shift(textBlock(lines), 2))
}

/** As the clock on the wall says. */
function clock(at: string): string {
  const time = new Date(at)
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}
