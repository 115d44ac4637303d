import type { SlashCommand } from './command.ts'

export const themeCommand: SlashCommand = {
  name: 'theme',
  about: 'light or dark',
  run(app) {
    app.dispatch({ type: 'set_theme', theme: app.ui.theme === 'dark' ? 'light' : 'dark' })
    app.redraw()
  },
}
