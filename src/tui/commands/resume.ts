import type { SlashCommand } from './command.ts'
import { fieldOf } from '../state/field.ts'
import { shortFolder } from '../screen/header.ts'

export const resumeCommand: SlashCommand = {
  name: 'resume',
  about: 'go on with an earlier chat; finds words said in any',
  takes: 'words',
  async run(app, rest) {
    const client = app.host?.client
    if (!client) return
    const query = rest.trim()
    const chats = await client.chats()
    app.dispatch({
      type: 'open_modal',
      modal: {
        kind: 'picker',
        title: 'Chats',
        query: fieldOf(query),
        items: chats.map(({ chat_id, title, folder, status, updated_at }) => ({
          label: title,
          note: `${updated_at.slice(0, 16).replace('T', ' ')} · ${status} · ${shortFolder(folder)}`,
          action: { type: 'open_chat', chat_id },
        })),
        cursor: 0,
        empty: 'No chat fits',
        searches: 'chats',
      },
    })
    if (query) app.dispatch({ type: 'search_chats', query })
  },
}
