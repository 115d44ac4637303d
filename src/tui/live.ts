import type { App } from './app.ts'
import { listCommands } from './commands/list-commands.ts'
import type { Booted } from './host.ts'
import { adoptBackground } from './tasks/adopt-background.ts'
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
  await begin(app)
  await sendQueued(app)
  await app.left
}

/** What the command line said. A picture that is refused keeps its prompt in the input. */
async function begin(app: App): Promise<void> {
  const { prompt, pictures = [] } = app.beginning
  if (pictures.length === 0) return prompt ? sendMessage(app, prompt) : undefined
  const { keepFiles } = await import('./tasks/attach-pictures.ts')
  const { words, refused } = await keepFiles(
    app,
    pictures.map((path) => ({ text: path, path, certain: true })),
  )
  if (prompt && refused.length === 0) return sendMessage(app, `${words} ${prompt}`)
  app.editor.insertWords(prompt ? `${words} ${prompt}` : words)
  if (refused.length > 0) app.dispatch({ type: 'say', text: refused.join('; '), tone: 'error' })
  else app.refresh()
}
