import { type Block, textBlock } from '../draw/block.ts'
import { type Piece, spread } from '../draw/row.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import { clockTime } from '../items/seconds.ts'
import type { UiState } from '../state/ui-state.ts'
import type { Scene } from './scene.ts'

/** What is said takes so many lines at most. */
const SAID_LINES = 3

/** The line above the mode bar: what goes on now, and how to stop it. */
export function activity(theme: Theme, scene: Scene, ui: UiState, width: number): Block {
  const { working, since, now, executing, run, pendings } = scene
  if (ui.saying) {
    const { text, tone } = ui.saying
    const lines = wrapText(theme, tone === 'error' ? 'error' : 'wait', text, width - 2)
    return textBlock(lines.slice(0, SAID_LINES).map((line) => ` ${line}`))
  }
  if (ui.looking !== undefined) {
    return spread(
      theme,
      [{ text: ` ${ui.looking}`, style: 'wait' }],
      [{ text: 'Esc stops ', style: 'dim' }],
      width,
    )
  }
  if (scene.starting) return spread(theme, [{ text: ' starting …', style: 'dim' }], [], width)
  const elapsed = since === undefined ? '' : ` · ${clockTime(now - since)}`
  const left: Piece[] = []
  if (executing) {
    const { directory, step, steps } = executing
    left.push(
      { text: ' "Executing Plan"', style: 'act', also: 'bold' },
      { text: ` · ${directory} · step ${step} of ${steps}${elapsed}`, style: 'dim' },
    )
  } else if (working && run?.status === 'working') {
    const busy = run.agents.filter(({ working_since }) => working_since !== null).length
    const waits = pendings.length > 0
    const who = waits ? 'waiting for you' : `${busy} ${busy === 1 ? 'agent' : 'agents'} working`
    const answered = run.agents.filter(({ answers }) => answers.length > 0).length
    const counts = `answers ${answered}/${run.agents.length} · votes ${run.votes} · ${who}`
    left.push({ text: ` round ${run.round} · ${counts}${elapsed}`, style: waits ? 'wait' : 'dim' })
  } else if (working) {
    const { busy } = scene
    const doing = pendings.length > 0 ? 'waiting for you' : (busy?.state ?? 'starting')
    left.push({
      text: ` ${busy?.id ?? 'team'} · ${doing}${elapsed}`,
      style: pendings.length > 0 ? 'wait' : 'dim',
    })
  } else if (scene.plan?.status === 'proposed') {
    left.push(
      { text: ' A plan waits for you: ', style: 'plan' },
      { text: '[ Review ]', style: 'plan', also: 'bold', action: { type: 'open_plan' } },
    )
  }
  const queued: Piece[] =
    ui.queue.length > 0 ? [{ text: `${ui.queue.length} queued  `, style: 'accent' }] : []
  const below: Piece[] = ui.scroll.follow
    ? []
    : [{ text: '↓ newest  ', style: 'accent', action: { type: 'scroll_to', end: 'bottom' } }]
  const tight = executing !== undefined && width < 90
  const stop: Piece[] =
    working && !tight ? [{ text: 'Esc interrupt ', style: 'dim', action: { type: 'interrupt' } }] : []
  return spread(theme, left.length > 0 ? left : [{ text: ' ' }], [...queued, ...below, ...stop], width)
}
