import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Host } from '../tui/host.ts'

/** The theme a person chose, kept beside the chats: one word in a file. */
export const keptTheme = (file: string): Host['theme'] => ({
  async read() {
    const word = (await readFile(file, 'utf8').catch(() => '')).trim()
    return word === 'light' || word === 'dark' ? word : undefined
  },
  // A theme that is not remembered is no reason to stop.
  keep(theme) {
    try {
      if (theme === undefined) return rmSync(file, { force: true })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${theme}\n`, { mode: 0o600 })
    } catch {
      return
    }
  },
})
