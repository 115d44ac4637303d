import type { App } from './app.ts'
import { listCommands } from './commands/list-commands.ts'
import type { Booted } from './host.ts'
import { sendMessage, sendQueued } from './tasks/send-message.ts'
import { watchPendings } from './watch-pendings.ts'

/** The chat from the moment everything is loaded until the person leaves. */
export async function live(app: App, booted: Booted): Promise<void> {
  const { host } = booted
  app.commandList = () => listCommands(host)
  await app.ready(booted)
  void adoptBackground(app)
  watchPendings(app)
  void host.branch().then((branch) => {
    app.branch = branch
    app.refresh()
  })
  void host.history().then((prompts) => prompts.forEach((prompt) => app.editor.addToHistory(prompt)))
  if (app.beginning.prompt) await sendMessage(app, app.beginning.prompt)
  await sendQueued(app)
  await app.left
}

/** Dark until the terminal says that its background is light. */
async function adoptBackground(app: App): Promise<void> {
  const color = await app.tui.queryTerminalBackgroundColor({ timeoutMs: 500 })
  if (!color) return
  const brightness = (color.r * 299 + color.g * 587 + color.b * 114) / 1000
  if (brightness > 140) app.dispatch({ type: 'set_theme', theme: 'light' })
}
