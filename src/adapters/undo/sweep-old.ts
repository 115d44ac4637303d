import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MS = 86_400_000
const KEPT_DAYS = 30
const MARK = '.swept'

/**
 * Removes what nobody used for a month, at most once a day, and never stands in the way of anything. True when it looked.
 */
export async function sweepOld(folder: string): Promise<boolean> {
  try {
    const swept = await stat(join(folder, MARK)).catch(() => undefined)
    if (swept && Date.now() - swept.mtimeMs < DAY_MS) return false
    await writeFile(join(folder, MARK), '', { mode: 0o600 })
    for (const name of await readdir(folder)) {
      if (name === MARK || name === 'trees') continue
      const path = join(folder, name)
      const { mtimeMs } = await stat(path)
      if (Date.now() - mtimeMs > KEPT_DAYS * DAY_MS) await rm(path, { recursive: true, force: true })
    }
    return true
  } catch {
    // Another process sweeps at the same time, or the disk does not let us: next time.
    return false
  }
}
