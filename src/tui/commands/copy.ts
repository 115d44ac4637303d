import type { SlashCommand } from './command.ts'
import { itemAt, itemCount } from '../../view/transcript.ts'

export const copyCommand: SlashCommand = {
  name: 'copy',
  about: 'copy the last answer',
  async run(app) {
    for (;;) {
      const { transcript } = app.view
      for (let place = itemCount(transcript) - 1; place >= 0; place--) {
        const item = itemAt(transcript, place)
        if (item?.kind === 'agent_message') return app.dispatch({ type: 'copy', text: item.text })
      }
      if (!app.session?.unread_log) return app.dispatch({ type: 'say', text: 'There is no answer yet' })
      await app.session.readEarlier()
    }
  },
}
