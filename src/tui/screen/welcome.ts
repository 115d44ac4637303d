import { type Block, textBlock } from '../draw/block.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import { shortFolder } from './header.ts'
import type { Scene } from './scene.ts'

/** An empty chat: where one is, who answers, and how to begin. */
export function welcome(
  theme: Theme,
  scene: Scene,
  { width, height }: { width: number; height: number },
): Block {
  const { agents, mode, folder } = scene
  const team = mode.agent_mode === 'multi' && agents.length > 1
  const active = agents.find(({ id }) => id === mode.active_agent) ?? agents[0]
  const names = agents.map(({ id }) => id).join(', ')
  const who = mode.interactive_mode
    ? `You talk to the orchestrator, which launches runs of ${names}`
    : team
      ? `A team of ${agents.length}: ${names}`
      : active
        ? `${active.id} answers (${active.model})`
        : ''
  const room = Math.max(10, width - 2)
  const lines = [
    theme.wrap('bold', theme.wrap('accent', 'conclave')),
    theme.paint('dim', shortFolder(folder)),
    '',
    ...(who ? wrapText(theme, 'text', who, room) : []),
    ...wrapText(theme, 'dim', 'Say what is to be done. Shift+Tab switches between Plan and Act.', room),
    theme.paint('dim', '/ commands   @ files   ! shell   ? help'),
  ]
  const above = Math.max(0, Math.min(3, Math.floor((height - lines.length) / 3)))
  return textBlock(
    [...Array.from({ length: above }, () => ''), ...lines].map((line) => (width > 60 ? `  ${line}` : line)),
  )
}
