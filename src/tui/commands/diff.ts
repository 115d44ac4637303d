import type { SlashCommand } from './command.ts'
import { itemAt, itemCount } from '../../view/transcript.ts'
import type { PageLine } from '../state/modal.ts'

export const diffCommand: SlashCommand = {
  name: 'diff',
  about: 'what the agents changed in this chat',
  run(app) {
    const { transcript } = app.view
    const lines: PageLine[] = []
    for (let place = 0; place < itemCount(transcript); place++) {
      const item = itemAt(transcript, place)
      if (item?.kind !== 'tool_call' || !item.diff) continue
      lines.push({ text: item.summary, style: 'bold' })
      for (const text of item.diff.split('\n')) {
        lines.push({ text, style: text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'dim' })
      }
    }
    if (lines.length === 0) lines.push({ text: 'Nothing was changed in this chat.', style: 'dim' })
    app.dispatch({ type: 'open_modal', modal: { kind: 'page', title: 'Changes', lines, scroll: 0 } })
  },
}
