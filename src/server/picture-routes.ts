import { z } from 'zod'
import { ClientError } from '../client/client.ts'
import { pictureType } from '../core/picture-type.ts'
import { LARGEST_PICTURE_BYTES } from '../schema/picture.ts'
import type { App } from './app.ts'
import { readJson } from './body.ts'
import { check } from './check.ts'
import { pictureIdSchema } from './command-schema.ts'
import type { ServerParts } from './parts.ts'

/** Base64 is a third longer than what it stands for. */
const LONGEST_DATA = Math.ceil(LARGEST_PICTURE_BYTES / 3) * 4
const LARGEST_BODY = LONGEST_DATA + 1_000
const TOO_LARGE = `a picture has at most ${LARGEST_PICTURE_BYTES / 1e6} MB`

export const pictureSchema = z.strictObject({ data: z.base64().max(LONGEST_DATA, TOO_LARGE) })

/** Takes the pictures of messages to come, and shows those of messages that were sent. */
export function addPictureRoutes(app: App, { client }: ServerParts): void {
  app.post('/api/pictures', async (context) => {
    const { data } = check(pictureSchema, await readJson(context.env.incoming, LARGEST_BODY, TOO_LARGE))
    return context.json(await client.keepPicture(Buffer.from(data, 'base64')))
  })

  /** Its type is what it is, not what somebody said, and a page shows it as nothing else. */
  app.get('/api/pictures/:id', async (context) => {
    const bytes = await client.picture(check(pictureIdSchema, context.req.param('id')))
    const type = bytes && pictureType(bytes)
    if (!type) throw new ClientError(404, 'there is no such picture')
    return context.body(new Uint8Array(bytes), 200, { 'content-type': type })
  })
}
