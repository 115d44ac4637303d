import { describeTokens } from '../screen/cost.ts'
import type { PageLine } from '../state/modal.ts'
import type { SlashCommand } from './command.ts'

/** Columns of the bar. */
const BAR = 40

export const contextCommand: SlashCommand = {
  name: 'context',
  about: 'how full the context is',
  run(app) {
    const { context_tokens: taken, agents } = app.view
    const { mode } = app.scene
    const known = app.host?.roster.agents ?? []
    const all = [
      { id: mode.active_agent ?? known[0]?.id ?? 'agent', taken },
      ...agents.map(({ agent_id, context_tokens }) => ({ id: agent_id, taken: context_tokens })),
    ].filter((one) => one.taken !== null)
    const lines = all.flatMap(({ id, taken: tokens }): PageLine[] =>
      describe(id, tokens ?? 0, known.find((agent) => agent.id === id)?.context_window),
    )
    if (lines.length === 0) lines.push({ text: 'No request was made yet.' })
    lines.push(
      { text: '' },
      { text: '/compact summarises what came before the last exchanges.', style: 'dim' },
    )
    app.dispatch({ type: 'open_modal', modal: { kind: 'page', title: 'Context', lines, scroll: 0 } })
  },
}

function describe(id: string, tokens: number, window: number | undefined): PageLine[] {
  if (!window) return [{ text: `${id}: ${describeTokens(tokens)} tokens in the last request` }]
  const share = Math.min(1, tokens / window)
  const filled = Math.round(share * BAR)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`
  return [
    {
      text: `${id}: ${describeTokens(tokens)} of ${describeTokens(window)} tokens in the last request (${Math.round(share * 100)} %)`,
    },
    { text: bar, style: share > 0.8 ? 'error' : 'accent' },
  ]
}
