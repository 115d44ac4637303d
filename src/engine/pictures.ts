import { type Rejected, reject } from '../core/aggregate.ts'
import { pictureType } from '../core/picture-type.ts'
import type { Pictures } from '../ports/pictures.ts'
import { LARGEST_PICTURE_BYTES, MOST_PICTURES, type NamedPicture, type Picture } from '../schema/picture.ts'

/** Puts a picture where messages can name it. */
export async function keepPicture(
  store: Pictures | undefined,
  bytes: Uint8Array,
): Promise<Picture | Rejected> {
  const media_type = pictureType(bytes)
  if (!media_type) return reject('this is no PNG, JPEG, GIF or WebP')
  if (bytes.length > LARGEST_PICTURE_BYTES)
    return reject(
      `the picture has ${(bytes.length / 1e6).toFixed(1)} MB; models take at most ${LARGEST_PICTURE_BYTES / 1e6} MB`,
    )
  const id = await store?.keep(bytes)
  if (id === undefined) return reject('the picture could not be stored')
  return { id, media_type, bytes: bytes.length }
}

/** The pictures a message names. All of them are there, or the message is not sent. */
export async function findPictures(
  store: Pictures | undefined,
  named: readonly NamedPicture[] = [],
): Promise<Picture[] | Rejected> {
  if (named.length > MOST_PICTURES) return reject(`a message takes at most ${MOST_PICTURES} pictures`)
  const found: Picture[] = []
  for (const { id, name } of named) {
    const bytes = await store?.read(id)
    const media_type = bytes && pictureType(bytes)
    if (!media_type) return reject(`the picture ${name ?? id} is not there (any more); add it again`)
    found.push({ id, media_type, bytes: bytes.length, ...(name && { name }) })
  }
  return found
}
