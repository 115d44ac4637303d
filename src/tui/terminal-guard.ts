/**
 * Takes the terminal over and gives it back on every way out: the end, a signal, a throw, a rejection nobody handled.
 * What would be written beside the screen meanwhile is handed to `onText`.
 */
export function guardTerminal(
  restore: () => void,
  options: { onText: (text: string) => void; onSignal: () => void },
): () => void {
  let given = false
  const heldBack: string[] = []
  const write = process.stderr.write.bind(process.stderr)
  const giveBack = () => {
    if (given) return
    given = true
    process.stderr.write = write
    process.off('exit', giveBack).off('uncaughtException', crash).off('unhandledRejection', crash)
    for (const name of signals) process.off(name, options.onSignal)
    restore()
  }
  const crash = (error: unknown) => {
    giveBack()
    for (const text of heldBack) process.stderr.write(text)
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`conclave: a bug ended the terminal UI; your chat is stored.\n${trace}\n`)
    process.exit(1)
  }
  process.stderr.write = ((chunk: string | Uint8Array) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    heldBack.push(text)
    if (heldBack.length > 100) heldBack.shift()
    options.onText(text)
    return true
  }) as typeof process.stderr.write
  process.on('exit', giveBack).on('uncaughtException', crash).on('unhandledRejection', crash)
  for (const name of signals) process.on(name, options.onSignal)
  return giveBack
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
