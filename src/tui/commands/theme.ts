import { adoptBackground } from '../tasks/adopt-background.ts'
import type { SlashCommand } from './command.ts'

export const themeCommand: SlashCommand = {
  name: 'theme',
  about: 'light, dark, or auto: as the terminal is; it is remembered',
  takes: 'name',
  async run(app, rest) {
    const other = app.ui.theme === 'dark' ? 'light' : 'dark'
    const wanted = rest.trim() || other
    if (wanted === 'auto') {
      app.host?.theme.keep(undefined)
      await adoptBackground(app)
    } else if (wanted === 'light' || wanted === 'dark') {
      app.host?.theme.keep(wanted)
      app.dispatch({ type: 'set_theme', theme: wanted })
    } else return app.dispatch({ type: 'say', text: 'themes: light, dark, auto', tone: 'error' })
    app.redraw()
  },
}
