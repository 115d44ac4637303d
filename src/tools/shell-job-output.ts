import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** Of one command, kept in a file. */
const MOST_BYTES = 50 * 1024 * 1024
/** Up to here no file is needed. */
const IN_MEMORY = 64 * 1024

/** All the output of a command, as far as anybody could want to read it: in memory, and when it grows, in a file. */
export class JobOutput {
  /** Bytes there were, and how many of them are kept. */
  size = 0
  kept = 0
  /** Absent while there is little. */
  file: string | undefined
  readonly #makeFile: (() => string) | undefined
  #memory: Uint8Array[] = []
  #descriptor: number | undefined

  /** Without a place for a file only the beginning is kept. */
  constructor(makeFile: (() => string) | undefined) {
    this.#makeFile = makeFile
  }

  add(bytes: Uint8Array): void {
    this.size += bytes.length
    if (this.#descriptor === undefined && this.kept + bytes.length > IN_MEMORY) this.#spill()
    const room = (this.#descriptor === undefined ? IN_MEMORY : MOST_BYTES) - this.kept
    const taken = bytes.subarray(0, Math.max(0, room))
    if (taken.length === 0) return
    if (this.#descriptor === undefined) this.#memory.push(Uint8Array.from(taken))
    else if (!this.#write(taken)) return
    this.kept += taken.length
  }

  /** Whole characters from a byte on. */
  read(offset: number, length: number): { text: string; end: number } {
    const bytes = this.#bytes(offset, Math.min(length, Math.max(0, this.kept - offset)))
    let start = 0
    while (start < 3 && isRest(bytes[start])) start += 1
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const atEnd = offset + bytes.length >= this.kept
    const text = decoder.decode(bytes.subarray(start), { stream: !atEnd })
    return { text, end: offset + bytes.length - (atEnd ? 0 : incomplete(bytes)) }
  }

  /** Reading goes on to work. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #spill(): void {
    if (!this.#makeFile || this.file !== undefined) return
    try {
      const file = this.#makeFile()
      this.#descriptor = openSync(file, 'wx', 0o600)
      this.file = file
      for (const bytes of this.#memory) this.#write(bytes)
      this.#memory = []
    } catch {
      // A full disk must not end the command; what is in memory stays readable.
    }
  }

  #write(bytes: Uint8Array): boolean {
    try {
      if (this.#descriptor !== undefined) writeSync(this.#descriptor, bytes)
      return true
    } catch {
      return false
    }
  }

  #bytes(offset: number, length: number): Uint8Array {
    if (this.file === undefined) return Buffer.concat(this.#memory).subarray(offset, offset + length)
    const bytes = Buffer.alloc(length)
    try {
      const descriptor = openSync(this.file, 'r')
      const read = readSync(descriptor, bytes, 0, length, offset)
      closeSync(descriptor)
      return bytes.subarray(0, read)
    } catch {
      return Buffer.alloc(0)
    }
  }
}

const isRest = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** How many bytes at the end begin a character that goes on after them. */
function incomplete(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isRest(byte)) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? back : 0
  }
  return 0
}
