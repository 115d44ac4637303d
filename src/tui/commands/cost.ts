import type { SlashCommand } from './command.ts'
import { type Usage, addUsage, noUsage } from '../../schema/usage.ts'
import type { App } from '../app.ts'
import { describeCost, describeTokens } from '../screen/cost.ts'
import type { PageLine } from '../state/modal.ts'
import { fillPage } from '../tasks/fill-page.ts'

export const costCommand: SlashCommand = {
  name: 'cost',
  about: 'what this chat has cost, and how full its context is',
  run(app) {
    let all = noUsage
    const agents = new Map<string, Usage>()
    return fillPage(app, 'Cost', (part) => {
      all = addUsage(all, part.usage)
      for (const { agent_id, usage } of part.agents) {
        agents.set(agent_id, addUsage(agents.get(agent_id) ?? noUsage, usage))
      }
      const lines = [line('all', all), ...[...agents].map(([id, usage]) => line(id, usage)), '', context(app)]
      return lines.map((text): PageLine => ({ text }))
    })
  },
}

function line(name: string, usage: Usage): string {
  const { input_tokens, output_tokens, model_calls } = usage
  const tokens = `${describeTokens(input_tokens)} tokens in, ${describeTokens(output_tokens)} out`
  return `${name.padEnd(16)} ${describeCost(usage).padEnd(8)} ${model_calls} calls, ${tokens}`
}

function context({ view, host, scene }: App): string {
  const { context_tokens } = view
  const window = host?.roster.agents.find(({ id }) => id === scene.mode.active_agent)?.context_window
  const full =
    window && context_tokens !== null
      ? ` of ${describeTokens(window)} (${Math.round((100 * context_tokens) / window)} %)`
      : ''
  return `last request: ${context_tokens === null ? 'none yet' : `${describeTokens(context_tokens)} tokens${full}`}`
}
