import type { SlashCommand } from './command.ts'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

export const exportCommand: SlashCommand = {
  name: 'export',
  about: 'write the chat to a file',
  takes: 'file',
  async run(app, rest) {
    const chat = app.session?.chat
    if (!chat || !app.host) return app.dispatch({ type: 'say', text: 'There is no chat yet' })
    const file = resolve(app.beginning.folder, rest.trim() || `${chat}.md`)
    const text = await app.host.transcript(chat)
    try {
      await writeFile(file, text, { flag: 'wx' })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const why = code === 'EEXIST' ? 'is there already: name another file' : `cannot be written: ${message}`
      return app.dispatch({ type: 'say', text: `${file} ${why}`, tone: 'error' })
    }
    app.dispatch({ type: 'say', text: `written to ${file}` })
  },
}
