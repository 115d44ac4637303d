import type { SlashCommand } from './command.ts'

export const newCommand: SlashCommand = {
  name: 'new',
  about: 'an empty chat in the same modes',
  run(app) {
    app.session?.startNew()
    app.dispatch({ type: 'show_chat' })
  },
}
