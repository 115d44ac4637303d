import type { App } from '../app.ts'
import type { ThemeName } from '../draw/theme.ts'

/** Dark until the terminal says that its background is light, unless the person chose a theme before. */
export async function adoptBackground(app: App): Promise<void> {
  const theme = (await app.host?.theme.read()) ?? (await backgroundOf(app))
  if (theme && theme !== app.ui.theme) app.dispatch({ type: 'set_theme', theme })
}

async function backgroundOf({ tui }: App): Promise<ThemeName | undefined> {
  const color = await tui.queryTerminalBackgroundColor({ timeoutMs: 500 })
  if (color) return (color.r * 299 + color.g * 587 + color.b * 114) / 1000 > 140 ? 'light' : 'dark'
  // Terminals that do not answer may say it here: `foreground;background`, by their number of 16.
  const ground = /;(\d+)$/.exec(process.env['COLORFGBG'] ?? '')?.[1]
  return ground === undefined ? undefined : lightGrounds.has(ground) ? 'light' : 'dark'
}

const lightGrounds: ReadonlySet<string> = new Set(['7', '15'])
