import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DAY_MS = 24 * 60 * 60 * 1000

let made: string | undefined

/** A folder for this process alone, made when first asked for and removed when the process ends. */
export function privateFolder(): string {
  if (made !== undefined) return made
  const parent = realpathSync(tmpdir())
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `conclave-${process.pid}-`))
  process.once('exit', () => removeQuietly(folder))
  made = folder
  return folder
}

/** What killed processes left behind; a day old, because a process of another container looks dead from here. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^conclave-(\d+)-/u.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const path = join(parent, name)
    try {
      const { uid, mtimeMs } = lstatSync(path)
      if (uid === process.getuid?.() && Date.now() - mtimeMs > DAY_MS) removeQuietly(path)
    } catch {
      // Somebody else was faster.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // It is in the temporary folder: the system removes it some day.
  }
}
