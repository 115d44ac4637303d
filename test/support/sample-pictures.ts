import { deflateSync, crc32 } from 'node:zlib'

/** A whole PNG in one colour. */
export function png({ width = 1, height = 1, colour = [200, 40, 40] } = {}): Buffer {
  const [red = 0, green = 0, blue = 0] = colour
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const row = Buffer.concat([
    Buffer.of(0),
    ...Array.from({ length: width }, () => Buffer.of(red, green, blue)),
  ])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Begins as a PNG and is padded to this many bytes. */
export function pngOf(bytes: number): Buffer {
  const start = png()
  return Buffer.concat([start, Buffer.alloc(bytes - start.length)])
}

/** The smallest there are of the other types, for what looks at their first bytes only. */
export const firstBytes = {
  'image/jpeg': Buffer.of(0xff, 0xd8, 0xff, 0xe0),
  'image/gif': Buffer.from('GIF89a'),
  'image/webp': Buffer.from('RIFF\u0004\0\0\0WEBPVP8 ', 'latin1'),
} as const

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
