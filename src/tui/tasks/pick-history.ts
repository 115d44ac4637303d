import type { App } from '../app.ts'
import { emptyField } from '../state/field.ts'

/** Ctrl+R: earlier prompts, newest first, narrowed down by typing. */
export async function pickHistory(app: App): Promise<void> {
  const prompts = (await app.host?.history()) ?? []
  const newest = [...new Set(prompts.toReversed())]
  app.dispatch({
    type: 'open_modal',
    modal: {
      kind: 'picker',
      title: 'Earlier prompts',
      query: emptyField,
      items: newest.map((text) => ({
        label: text.split('\n').join(' '),
        action: { type: 'fill_input', text },
      })),
      cursor: 0,
      empty: 'No earlier prompt fits',
    },
  })
}
