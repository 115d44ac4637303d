import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DAY_MS = 24 * 60 * 60 * 1000

let made: string | undefined

/** A folder for this process alone, made when first asked for and removed when the process ends. */
export function privateFolder(): string {
  if (made !== undefined) return made
  const parent = realpathSync(tmpdir())
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `conclave-${process.pid}-${processSpace()}-`))
  process.once('exit', () => removeQuietly(folder))
  made = folder
  return folder
}

/** What killed processes left behind. A process of another container only looks dead, so its folder gets a day. */
function removeLeftovers(parent: string): void {
  const here = processSpace()
  for (const name of readdirSync(parent)) {
    const [, pid, space] = /^conclave-(\d+)-(\d+)-/u.exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    const path = join(parent, name)
    try {
      const { uid, mtimeMs } = lstatSync(path)
      const isOver = space === here || Date.now() - mtimeMs > DAY_MS
      if (uid === process.getuid?.() && isOver) removeQuietly(path)
    } catch {
      // Somebody else was faster.
    }
  }
}

/** Process numbers mean the same only within one of these. */
function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/gu, '')
  } catch {
    return '0'
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
