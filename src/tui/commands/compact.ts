import { report } from '../tasks/report.ts'
import type { SlashCommand } from './command.ts'

export const compactCommand: SlashCommand = {
  name: 'compact',
  about: 'summarise what came before the last exchanges',
  async run(app) {
    const chat_id = app.session?.chat
    const agent_id = app.scene.mode.active_agent
    if (!chat_id || !agent_id) return app.dispatch({ type: 'say', text: 'There is nothing to summarise yet' })
    report(app, await app.session?.execute({ type: 'compact_chat', chat_id, agent_id }))
  },
}
