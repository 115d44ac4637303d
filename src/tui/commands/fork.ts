import type { SlashCommand } from './command.ts'

export const forkCommand: SlashCommand = {
  name: 'fork',
  about: 'go on in a copy of this chat',
  async run(app) {
    const chat = app.session?.chat
    const client = app.host?.client
    if (!chat || !client) return app.dispatch({ type: 'say', text: 'There is no chat to copy yet' })
    const chat_id = await client.newChatId()
    const { folder, title } = app.view
    const made = await client.execute({
      type: 'create_chat',
      chat_id,
      folder,
      title,
      fork: { chat_id: chat },
    })
    if (!made.accepted) return app.dispatch({ type: 'say', text: made.reason, tone: 'error' })
    await app.session?.open(chat_id)
    app.dispatch({ type: 'show_chat' })
    app.dispatch({ type: 'say', text: 'This is a copy; the other chat stays as it is' })
  },
}
