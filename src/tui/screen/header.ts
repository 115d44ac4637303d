import { homedir } from 'node:os'
import type { Block } from '../draw/block.ts'
import { type Piece, spread } from '../draw/row.ts'
import type { Theme } from '../draw/theme.ts'
import type { Scene } from './scene.ts'
import { describeCost, describeTokens } from './cost.ts'

/** Chat, folder, who answers, what it costs. What is least needed goes first when there is little room. */
export function header(theme: Theme, scene: Scene, width: number): Block {
  const { title, agents, mode, usage, context_tokens } = scene
  const left: Piece[] = [
    { text: ' conclave', style: 'accent', also: 'bold' },
    ...(title ? [{ text: ` · ${title}`, also: 'bold' as const }] : []),
  ]
  const where: Piece = {
    text: `${shortFolder(scene.folder)}${scene.branch ? ` (${scene.branch})` : ''}   `,
    style: 'dim',
  }
  const active = agents.find(({ id }) => id === mode.active_agent) ?? agents[0]
  const team = mode.agent_mode === 'multi' && agents.length > 1
  const who: Piece = {
    text: team
      ? `team ${agents.length} · refine ${mode.refinement ? 'on' : 'off'}   `
      : active
        ? `${active.model}   `
        : '',
    style: 'dim',
  }
  const context = context_tokens ? ` · ${describeContext(context_tokens, active?.context_window)}` : ''
  const cost: Piece = { text: `${describeCost(usage)}${context} `, style: 'dim' }
  const right = width >= 100 ? [where, who, cost] : width >= 60 ? [who, cost] : [cost]
  return spread(theme, left, right, width)
}

export function shortFolder(folder: string): string {
  const home = homedir()
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}

const describeContext = (tokens: number, window: number | undefined): string =>
  window ? `${Math.round((100 * tokens) / window)} % ctx` : `${describeTokens(tokens)} ctx`
