import { type Block, clickable, emptyBlock, stack, textBlock } from '../draw/block.ts'
import { fit, padTo, row } from '../draw/row.ts'
import { type Theme, oneLine } from '../draw/theme.ts'
import type { Scene } from './scene.ts'
import { glyphs, stateStyles } from './tabs.ts'

/** With more agents than this the Team tab tells it better. */
const MOST_AGENTS = 6

/** Below the chat while a team works: what each agent does now. A click opens its tab. */
export function teamBoard(theme: Theme, scene: Scene, width: number): Block {
  const { run, agents, working, watching, pendings } = scene
  const members = agents.filter(({ id }) => run?.agents.some(({ agent_id }) => agent_id === id))
  if (!working || run?.status !== 'working' || watching !== undefined || pendings.length > 0)
    return emptyBlock
  if (members.length < 2 || members.length > MOST_AGENTS) return emptyBlock
  const name = Math.min(16, Math.max(...members.map(({ id }) => id.length)))
  const rows = members.map(({ id, state, doing }) =>
    clickable(
      row(
        theme,
        [
          { text: ` ${glyphs[state] ?? '·'} `, style: stateStyles[state] ?? 'dim' },
          { text: padTo(fit(oneLine(id), name), name + 2), also: 'bold' },
          { text: state.padEnd(12), style: stateStyles[state] ?? 'dim' },
          { text: doing ?? '', style: 'dim' },
        ],
        width,
      ),
      { type: 'pick_agent', agent_id: id },
      width,
    ),
  )
  return stack(textBlock(['']), ...rows)
}
