import { setImmediate as nextRound } from 'node:timers/promises'
import {
  KeybindingsManager,
  ProcessTerminal,
  TUI_KEYBINDINGS,
  setCapabilities,
  setKeybindings,
} from '@earendil-works/pi-tui'
import { App } from './app.ts'
import type { Beginning, Booted } from './host.ts'
import { handleKeys } from './handle-keys.ts'
import { guardTerminal } from './terminal-guard.ts'

/**
 * Takes the terminal over until the person leaves. The first frame is drawn before `boot` begins, so that one can type
 * while the rest is loaded; only what it shows is loaded before.
 */
export async function startTui(beginning: Beginning, boot: () => Promise<Booted>): Promise<void> {
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, ownKeys))
  // No links and no images: what a model writes is text.
  setCapabilities({ images: null, trueColor: true, hyperlinks: false })
  const app = new App(new ProcessTerminal(), beginning)
  const giveBack = guardTerminal(() => app.stop(), {
    onText: (text) => app.dispatch({ type: 'say', text: text.trim() }),
    onSignal: () => app.quit(),
  })
  handleKeys(app)
  let booted: Booted | undefined
  let transcript = ''
  try {
    app.start()
    booted = await Promise.race([nextRound().then(boot), app.left.then(() => undefined)])
    if (booted) await (await import('./live.ts')).live(app, booted)
    if (booted && beginning.leave_transcript && app.session?.chat) {
      transcript = await booted.host.transcript(app.session.chat)
    }
  } finally {
    giveBack()
    await booted?.host.client.close()
  }
  if (transcript) process.stdout.write(transcript)
}

/** The transcript, search and the mouse are ours: pi-tui's own keys for them are taken away. */
const ownKeys = Object.fromEntries(
  Object.keys(TUI_KEYBINDINGS)
    .filter((name) => name.startsWith('tui.altScreen.'))
    .map((name) => [name, []]),
)
