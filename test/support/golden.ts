import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Program } from './program.ts'
import type { TerminalSession } from './terminal.ts'

export const sizes = [
  [80, 24],
  [120, 32],
  [200, 60],
] as const

/** So that a screen names no folder of this machine: the project is `~/project`. */
export const atHome = (program: Program): Record<string, string> => ({
  HOME: dirname(program.folder),
  XDG_CONFIG_HOME: join(program.home, '.config'),
  XDG_DATA_HOME: join(program.home, '.local/share'),
})

/** Compares the screen, at several sizes, with what it was when somebody looked at it last. */
export async function expectFrames(
  terminal: TerminalSession,
  name: string,
  at: readonly (readonly [number, number])[] = sizes,
): Promise<void> {
  for (const [cols, rows] of at) {
    terminal.resize(cols, rows)
    const file = join(import.meta.dirname, '../tui/golden', `${name}-${cols}x${rows}.txt`)
    await expect(await settledFrame(terminal, rows)).toMatchFileSnapshot(file)
  }
}

/** The screen once nothing in it moves any more but clocks. */
async function settledFrame(terminal: TerminalSession, rows: number): Promise<string> {
  let last = ''
  for (let same = 0; same < 4;) {
    await sleep(60)
    const now = mask(terminal.rows())
    same = now === last && terminal.rows().length === rows ? same + 1 : 0
    last = now
  }
  return last
}

/** Times are different each time; what stands for them is as wide, so that nothing moves. */
function mask(lines: string[]): string {
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, 'YYYY-MM-DD hh:mm')
    .replaceAll(/\b\d\d:\d\d\b/g, 'mm:ss')
    .replaceAll(/ *\b\d+\.\d+ s\b/g, (time) => '#.## s'.padStart(time.length))
    // What a modal leaves of one.
    .replaceAll(/(?<=[│╮╯])[\d.]* s$/gm, (time) => ' s'.padStart(time.length, '#'))
    .replaceAll(/plan_\w{8}/g, 'plan_########')
  return `${text.trimEnd()}\n`
}
