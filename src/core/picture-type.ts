import type { PictureType } from '../schema/picture.ts'

/** What a file is, by its first bytes: names and claims prove nothing. None for what models do not take. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const begins = (...start: number[]): boolean => start.every((byte, index) => bytes[index] === byte)
  const holds = (text: string, at: number): boolean =>
    [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0))
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (holds('GIF87a', 0) || holds('GIF89a', 0)) return 'image/gif'
  if (holds('RIFF', 0) && holds('WEBP', 8)) return 'image/webp'
  return undefined
}
