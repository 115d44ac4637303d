import type { App } from '../app.ts'
import { report } from './report.ts'

export async function interrupt(app: App): Promise<void> {
  const chat = app.session?.chat
  if (chat && app.view.under_way)
    report(app, await app.session?.execute({ type: 'interrupt', chat_id: chat }))
}
