/**
 * Takes the frames of a process without a terminal apart: eight bytes that say which stream and how much, then the bytes.
 * The returned function is given the chunks as they come.
 */
export function demultiplex(
  onBytes: (stream: 'stdout' | 'stderr', bytes: Buffer) => void,
): (chunk: Buffer) => void {
  let header = Buffer.alloc(0)
  let stream: 'stdout' | 'stderr' = 'stdout'
  let left = 0
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (left > 0) {
        const bytes = chunk.subarray(at, at + left)
        at += bytes.length
        left -= bytes.length
        onBytes(stream, bytes)
        continue
      }
      const missing = chunk.subarray(at, at + HEADER - header.length)
      at += missing.length
      header = Buffer.concat([header, missing])
      if (header.length < HEADER) return
      stream = header[0] === 2 ? 'stderr' : 'stdout'
      left = header.readUInt32BE(4)
      header = Buffer.alloc(0)
    }
  }
}

const HEADER = 8
