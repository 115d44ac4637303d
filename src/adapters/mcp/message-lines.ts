/** Cuts a stream into lines in bounded memory. */
export interface MessageLines {
  /** The lines that this chunk completes. */
  add(chunk: Buffer): string[]
  /** Bytes of the line that is not complete yet. */
  readonly waiting: number
}

export function messageLines(): MessageLines {
  let pieces: Buffer[] = []
  let waiting = 0
  return {
    add(chunk) {
      const lines: string[] = []
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        pieces.push(chunk.subarray(start, end))
        const line = Buffer.concat(pieces).toString('utf8').trim()
        if (line !== '') lines.push(line)
        pieces = []
        waiting = 0
        start = end + 1
      }
      if (start < chunk.length) {
        pieces.push(chunk.subarray(start))
        waiting += chunk.length - start
      }
      return lines
    },
    get waiting() {
      return waiting
    },
  }
}
