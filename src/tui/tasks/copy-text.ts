import type { App } from '../app.ts'

/** Terminals put what OSC 52 carries on the clipboard, also over SSH. */
export async function copyText(app: App, text: string): Promise<void> {
  app.tui.terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
  app.dispatch({ type: 'say', text: `copied ${text.length} characters` })
}
