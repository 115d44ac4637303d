import type { App } from '../app.ts'

/** The pictures whose tokens are in the text go with it. */
export async function sendMessage(app: App, text: string): Promise<void> {
  if (!app.session) {
    app.dispatch({ type: 'queue', messages: [...app.ui.queue, text] })
    return
  }
  app.dispatch({ type: 'scroll_to', end: 'bottom' })
  const sent = await app.session.send(text, app.beginning.folder, app.editor.pictures.in(text))
  if (sent.accepted) return
  app.editor.setText(text)
  app.dispatch({ type: 'say', text: sent.reason, tone: 'error' })
}

/** Sends what was queued, when the agents are done. */
export async function sendQueued(app: App): Promise<void> {
  const [next, ...rest] = app.ui.queue
  if (next === undefined || !app.session || app.view.under_way) return
  app.dispatch({ type: 'queue', messages: rest })
  await sendMessage(app, next)
}
