import type { SlashCommand } from './command.ts'

export const compareCommand: SlashCommand = {
  name: 'compare',
  about: 'what two answers of the team change, side by side',
  takes: 'answer answer',
  run(app, rest) {
    const run_id = app.scene.run?.run_id
    const [left, right] = rest.trim().split(/\s+/).filter(Boolean)
    if (!run_id) return app.dispatch({ type: 'say', text: 'No team has worked in this chat yet' })
    app.dispatch({ type: 'compare', run_id, ...(left && right && { labels: [left, right] }) })
  },
}
