import { sectionsOf } from '../../view/transcript.ts'
import type { App } from '../app.ts'
import { emptyField } from '../state/field.ts'
import type { PickerItem } from '../state/modal.ts'
import { report } from './report.ts'

/** How many messages are offered at a time. */
const OFFERED = 200

/** Esc Esc: choose an earlier message and write it anew. `after`: so many of the newest were offered already. */
export async function pickMessage(app: App, after: number): Promise<void> {
  const wanted = after + OFFERED
  let items = messagesOf(app)
  while (items.length <= wanted && app.session?.unread_log) {
    await app.session.readEarlier()
    items = messagesOf(app)
  }
  const more: PickerItem[] =
    items.length > wanted
      ? [{ label: '… earlier messages', action: { type: 'pick_message', after: wanted } }]
      : []
  app.dispatch({
    type: 'open_modal',
    modal: {
      kind: 'picker',
      title: 'Rewind to before',
      query: emptyField,
      items: [...items.slice(0, wanted), ...more],
      cursor: after,
      empty: 'No earlier message',
    },
  })
}

/** The newest first. Of the first one that is held it is not known what came before it, unless the chat begins there. */
function messagesOf({ view, session }: App): PickerItem[] {
  const items: PickerItem[] = []
  let before: string | undefined
  let isKnown = !session?.unread_log
  for (const section of sectionsOf(view.transcript)) {
    const message = section.head.find(({ kind }) => kind === 'user_message')
    if (message?.kind === 'user_message' && isKnown) {
      const label = message.text.split('\n', 1)[0] ?? ''
      const action = {
        type: 'rewind',
        text: message.text,
        ...(message.pictures && { pictures: message.pictures }),
        ...(before !== undefined && { at: before }),
      } as const
      items.push({ label, note: message.at.slice(11, 16), action })
    }
    if (!/^(turn|run)_/.test(section.id)) continue
    before = section.id
    isKnown = true
  }
  return items.toReversed()
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
