import type { RunId } from '../../schema/ids.ts'
import { itemAt, itemCount } from '../../view/transcript.ts'
import type { App } from '../app.ts'
import { diffStyle } from '../draw/highlight.ts'
import type { PageLine } from '../state/modal.ts'
import { fillPage } from '../tasks/fill-page.ts'
import { runChanges } from '../tasks/run-changes.ts'
import type { SlashCommand } from './command.ts'

export const diffCommand: SlashCommand = {
  name: 'diff',
  about: 'what the agents changed in this chat',
  run(app) {
    let lines: PageLine[] = []
    return fillPage(app, 'Changes', async (part) => {
      lines = [...(await changesIn({ host: app.host, view: part })), ...lines]
      return lines.length > 0 ? lines : [{ text: 'Nothing was changed in this chat.', style: 'dim' }]
    })
  },
}

async function changesIn(chat: Pick<App, 'view' | 'host'>): Promise<PageLine[]> {
  const { transcript } = chat.view
  const lines: PageLine[] = []
  const show = (title: string, diff: string): void => {
    lines.push({ text: title, style: 'bold' })
    for (const text of diff.split('\n')) lines.push({ text, style: diffStyle(text) })
  }
  for (let place = 0; place < itemCount(transcript); place++) {
    const item = itemAt(transcript, place)
    if (item?.kind === 'tool_call' && item.diff) show(item.summary, item.diff)
    if (item?.kind !== 'written_files' || !item.stream.startsWith('run_') || item.files.length === 0) continue
    for (const { title, diff } of await runChanges(chat, item.stream as RunId)) show(title, diff)
  }
  return lines
}
