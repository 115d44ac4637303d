/** Collects output in bounded memory: the first bytes, the last bytes, and how many were between them. */
export interface CappedOutput {
  add(chunk: Buffer): void
  text(): string
}

export function cappedOutput(limits: { head: number; tail: number }): CappedOutput {
  const head: Buffer[] = []
  let headBytes = 0
  // A ring: `written` bytes went in, the last `tail.length` of them are still there.
  let tail: Buffer | undefined
  let written = 0

  const addTail = (chunk: Buffer): void => {
    tail ??= Buffer.allocUnsafe(limits.tail)
    const last = chunk.subarray(Math.max(0, chunk.length - tail.length))
    const at = (written + chunk.length - last.length) % tail.length
    const fits = Math.min(last.length, tail.length - at)
    last.copy(tail, at, 0, fits)
    last.copy(tail, 0, fits)
    written += chunk.length
  }

  const tailBytes = (): Buffer => {
    if (!tail) return Buffer.alloc(0)
    if (written <= tail.length) return tail.subarray(0, written)
    const at = written % tail.length
    return Buffer.concat([tail.subarray(at), tail.subarray(0, at)])
  }

  return {
    add(chunk) {
      const room = limits.head - headBytes
      if (room > 0) {
        // A copy, so that a small piece does not hold on to the large buffer it was read into.
        head.push(Buffer.from(chunk.subarray(0, room)))
        headBytes += Math.min(room, chunk.length)
      }
      if (chunk.length > room) addTail(chunk.subarray(Math.max(0, room)))
    },
    text() {
      const left = written - Math.min(written, limits.tail)
      if (left === 0) return Buffer.concat([...head, tailBytes()]).toString('utf8')
      const start = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(head), {
        stream: true,
      })
      return `${start}\n… [${left} bytes left out] …\n${fromCharacterStart(tailBytes()).toString('utf8')}`
    },
  }
}

/** Without the rest of a character whose start was left out. */
function fromCharacterStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start)
}
