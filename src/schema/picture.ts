export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** A picture that belongs to a message. Its bytes are kept beside the log, under their SHA-256. */
export interface Picture {
  id: string
  media_type: PictureType
  bytes: number
  /** Of the file it came from, for people. */
  name?: string
}

/** As a message names it: it was kept before. */
export type NamedPicture = Pick<Picture, 'id' | 'name'>

/** What every provider takes. */
export const LARGEST_PICTURE_BYTES = 5_000_000
export const MOST_PICTURES = 10
