import type { ModelMessage } from '../../ports/model.ts'
import type { Pictures } from '../../ports/pictures.ts'
import type { ToldMessage } from '../../prompts/told-message.ts'
import type { Picture } from '../../schema/picture.ts'

/** A conversation as its model can take it: with the bytes of its pictures, or with word of what it cannot be shown. */
export async function showPictures(
  messages: readonly ToldMessage[],
  pictures: Pictures | undefined,
  takes: boolean,
): Promise<ModelMessage[]> {
  const shown: ModelMessage[] = []
  for (const message of messages) {
    if (message.role !== 'user' || !message.pictures) {
      shown.push(message)
      continue
    }
    const read = await Promise.all(
      message.pictures.map(async ({ id, media_type }) => {
        const bytes = takes ? await pictures?.read(id) : undefined
        return bytes && { media_type, data: Buffer.from(bytes).toString('base64') }
      }),
    )
    const missing = message.pictures.filter((_, index) => !read[index])
    const images = read.filter((image) => image !== undefined)
    const text = [message.text, ...missing.map((picture) => explain(picture, takes))].join('\n')
    shown.push({ role: 'user', text, ...(images.length > 0 && { images }) })
  }
  return shown
}

const explain = ({ name, media_type }: Picture, takes: boolean): string =>
  `[a picture, ${name ?? media_type}, which ${takes ? 'is no longer there' : 'you cannot be shown'}]`
