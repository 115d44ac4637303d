import type { SlashCommand } from './command.ts'

export const undoCommand: SlashCommand = {
  name: 'undo',
  about: 'take back what the last turn changed',
  async run(app) {
    const chat = app.session?.chat
    if (!chat || !app.host) return app.dispatch({ type: 'say', text: 'There is nothing to undo' })
    if (app.view.under_way)
      return app.dispatch({ type: 'say', text: 'Interrupt the agents first (Esc)', tone: 'error' })
    const said = await app.host.undo(chat)
    const lines = said
      .trimEnd()
      .split('\n')
      .map((text) => ({ text }))
    app.dispatch({ type: 'open_modal', modal: { kind: 'page', title: 'Undo', lines, scroll: 0 } })
  },
}
