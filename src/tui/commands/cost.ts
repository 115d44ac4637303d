import type { SlashCommand } from './command.ts'
import { describeCost, describeTokens } from '../screen/cost.ts'

export const costCommand: SlashCommand = {
  name: 'cost',
  about: 'what this chat has cost, and how full its context is',
  run(app) {
    const { usage, agents, context_tokens, unread } = app.view
    const line = (name: string, { input_tokens, output_tokens, model_calls, cost_usd }: typeof usage) =>
      `${name.padEnd(16)} ${describeCost({ input_tokens, output_tokens, model_calls, ...(cost_usd !== undefined && { cost_usd }) }).padEnd(8)} ${model_calls} calls, ${describeTokens(input_tokens)} tokens in, ${describeTokens(output_tokens)} out`
    const window = app.host?.roster.agents.find(
      ({ id }) => id === app.scene.mode.active_agent,
    )?.context_window
    const full =
      window && context_tokens !== null
        ? ` of ${describeTokens(window)} (${Math.round((100 * context_tokens) / window)} %)`
        : ''
    const lines = [
      line('all', usage),
      ...agents.map((agent) => line(agent.agent_id, agent.usage)),
      '',
      `last request: ${context_tokens === null ? 'none yet' : `${describeTokens(context_tokens)} tokens${full}`}`,
      ...(unread > 0 ? [`${unread} earlier turns are not read yet and not counted: scroll up`] : []),
    ]
    app.dispatch({
      type: 'open_modal',
      modal: { kind: 'page', title: 'Cost', lines: lines.map((text) => ({ text })), scroll: 0 },
    })
  },
}
