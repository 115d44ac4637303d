import { exitCodes } from './exit-codes.ts'

/** Lasts as long as the reader does not keep up. */
export const writeOut = (text: string): Promise<void> =>
  new Promise((resolve) => {
    if (process.stdout.write(text, () => resolve())) resolve()
  })

/**
 * Watches what cannot be written. `finish` waits until the readers have taken everything (ending the process earlier
 * would cut it off) and says what the exit code is: a reader that has gone is fine, a full disk is not.
 */
export function watchOutput(): { finish: (code: number) => Promise<number> } {
  let problem: NodeJS.ErrnoException | undefined
  process.stdout.on('error', (error) => (problem ??= error))
  process.stderr.on('error', () => undefined)
  return {
    async finish(code) {
      await flush(process.stdout)
      const lost = problem && problem.code !== 'EPIPE'
      if (lost) process.stderr.write(`conclave: the output could not be written: ${problem?.message}\n`)
      await flush(process.stderr)
      return lost && code === exitCodes.done ? exitCodes.failed : code
    },
  }
}

const flush = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()))
