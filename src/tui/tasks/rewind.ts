import { getAt } from '../../view/sequence.ts'
import type { App } from '../app.ts'
import { emptyField } from '../state/field.ts'
import type { PickerItem } from '../state/modal.ts'
import { report } from './report.ts'

/** How many messages are offered. */
const OFFERED = 200

/** Esc Esc: choose an earlier message and write it anew. */
export function pickMessage(app: App): void {
  const { sections } = app.view.transcript
  const items: PickerItem[] = []
  let before: string | undefined
  for (let index = 0; index < sections.length; index++) {
    const section = getAt(sections, index)
    const message = section?.head.find(({ kind }) => kind === 'user_message')
    if (message?.kind === 'user_message') {
      const label = message.text.split('\n', 1)[0] ?? ''
      const action = {
        type: 'rewind',
        text: message.text,
        ...(before !== undefined && { at: before }),
      } as const
      items.push({ label, note: message.at.slice(11, 16), action })
    }
    if (section && /^(turn|run)_/.test(section.id)) before = section.id
  }
  app.dispatch({
    type: 'open_modal',
    modal: {
      kind: 'picker',
      title: 'Rewind to before',
      query: emptyField,
      items: items.toReversed().slice(0, OFFERED),
      cursor: 0,
      empty: 'No earlier message',
    },
  })
}

/** Goes on from before a message, in a copy of the chat; the message is in the input. Files stay as they are. */
export async function rewind(app: App, text: string, at: string | undefined): Promise<void> {
  const chat = app.session?.chat
  const client = app.host?.client
  if (!chat || !client) return
  if (at === undefined) app.session?.startNew()
  else {
    const chat_id = await client.newChatId()
    const { folder, title } = app.view
    const made = await client.execute({
      type: 'create_chat',
      chat_id,
      folder,
      title,
      fork: { chat_id: chat, at },
    })
    if (!made.accepted) return report(app, made)
    await app.session?.open(chat_id)
  }
  app.editor.setText(text)
  app.dispatch({ type: 'show_chat' })
  app.dispatch({
    type: 'say',
    text: 'A copy from before that message; files stay as they are (/undo takes changes back)',
  })
}
