/** SHA-256 of a text's UTF-8 bytes, in hex. Pure, because the core has no crypto library to call. */
export function sha256(text: string): string {
  const bytes = utf8(text)
  const length = bytes.length
  const padded = new Uint8Array((((length + 8) >> 6) + 1) << 6)
  padded.set(bytes)
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000))
  view.setUint32(padded.length - 4, (length << 3) >>> 0)
  const hash = new Uint32Array(start)
  const words = new Uint32Array(64)
  for (let offset = 0; offset < padded.length; offset += 64) mix(hash, words, view, offset)
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('')
}

function mix(hash: Uint32Array, w: Uint32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const a = at(w, i - 15)
    const b = at(w, i - 2)
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const one = (h + s1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(w, i)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) hash[index] = at(hash, index) + value
}

const at = (words: Uint32Array, index: number): number => words[index] ?? 0

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** The first 32 bits of the fractional parts of the roots of the first primes: square roots to start, cube roots to mix. */
const primes = Array.from({ length: 312 }, (_, index) => index).filter(
  (number) =>
    number > 1 && !Array.from({ length: 16 }, (_, i) => i + 2).some((by) => by < number && number % by === 0),
)
const start = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const constants = Uint32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)))

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 0x100000000)
}

function utf8(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    else
      bytes.push(
        0xf0 | (code >> 18),
        0x80 | ((code >> 12) & 63),
        0x80 | ((code >> 6) & 63),
        0x80 | (code & 63),
      )
  }
  return Uint8Array.from(bytes)
}
