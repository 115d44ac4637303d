import type { Picture } from '../schema/picture.ts'

/** A picture for people, in a line: its name, kind and size. */
export function describePicture({ name = 'picture', media_type, bytes }: Picture): string {
  const kind = media_type === 'image/webp' ? 'WebP' : media_type.slice('image/'.length).toUpperCase()
  return `${name.replaceAll(/\s+/g, ' ')} · ${kind} · ${size(bytes)}`
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
