/** Of one call of `fromCharCode`: each byte is an argument. */
const PIECE = 8_192

/** In pages and in Node alike. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(text)
}
