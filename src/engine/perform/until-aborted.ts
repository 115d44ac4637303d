const PATIENCE_MS = 2_000

/** What a stream gives. One that does not end when it is told to is left behind, so that nobody waits for it. */
export async function* untilAborted<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal,
  patience_ms = PATIENCE_MS,
): AsyncGenerator<T> {
  const parts = stream[Symbol.asyncIterator]()
  const late = Promise.withResolvers<'late'>()
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  const wait = (): void => {
    timer = setTimeout(() => late.resolve('late'), patience_ms)
  }
  if (signal.aborted) wait()
  else signal.addEventListener('abort', wait, { once: true })
  try {
    for (;;) {
      const part = await Promise.race([parts.next(), late.promise])
      isLate = part === 'late'
      if (part === 'late' || part.done) return
      yield part.value
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', wait)
    const ended = Promise.resolve(parts.return?.()).catch(() => undefined)
    if (!isLate) await ended
  }
}
