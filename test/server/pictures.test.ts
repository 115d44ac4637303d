import { expect, test } from 'vitest'
import { openBlobStore } from '../../src/adapters/undo/blob-store.ts'
import { ClientError } from '../../src/client/client.ts'
import { LARGEST_PICTURE_BYTES, MOST_PICTURES, type Picture } from '../../src/schema/picture.ts'
import { firstBytes, png, pngOf } from '../support/sample-pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from './support.ts'

const start = () =>
  startServer({ replies: [{ text: 'Red.' }], parts: { pictures: openBlobStore(temporaryFolder()) } })

const inBase64 = (bytes: Buffer | string) => ({ data: Buffer.from(bytes).toString('base64') })

test('a picture is kept and comes back as it was, as what it is', async () => {
  const { ask, post } = await start()
  const dot = png()
  for (const [type, bytes] of Object.entries({ 'image/png': dot, ...firstBytes })) {
    const kept = (await (await post('/api/pictures', inBase64(bytes))).json()) as Picture
    expect(kept).toEqual({
      ...{ id: expect.stringMatching(/^[0-9a-f]{64}$/u), media_type: type, bytes: bytes.length },
    })
    const shown = await ask(`/api/pictures/${kept.id}`)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, type])
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(bytes)
  }
})

test('the client keeps and reads pictures over HTTP', async () => {
  const client = (await start()).client()
  const dot = png()
  const kept = await client.keepPicture(dot)
  expect(Buffer.from((await client.picture(kept.id)) ?? [])).toEqual(dot)
  expect(await client.picture('0'.repeat(64))).toBeUndefined()
  const refusal = await client.keepPicture(Buffer.from('words')).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ClientError)
  expect(refusal).toMatchObject({ status: 400, message: 'this is no PNG, JPEG, GIF or WebP' })
})

test('a picture of the largest size is kept, and a larger one is refused in words', async () => {
  const { post } = await start()
  const largest = await post('/api/pictures', inBase64(pngOf(LARGEST_PICTURE_BYTES)))
  expect(await largest.json()).toMatchObject({ bytes: LARGEST_PICTURE_BYTES })
  for (const [more, status] of [
    [1, 400],
    [2, 400],
    [1_000_000, 413],
  ] as const) {
    const refused = await post('/api/pictures', inBase64(pngOf(LARGEST_PICTURE_BYTES + more)))
    expect([more, refused.status]).toEqual([more, status])
    expect(await refused.json()).toEqual({ error: expect.stringMatching(/at most 5 MB/u) })
  }
})

test.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['text', 'only words'],
  ['nothing', ''],
  ['a PNG that begins late', Buffer.concat([Buffer.of(0), png()])],
])('%s is no picture', async (_, bytes) => {
  const { post } = await start()
  const refused = await post('/api/pictures', inBase64(bytes))
  expect(refused.status).toBe(400)
  expect(await refused.json()).toEqual({ error: 'this is no PNG, JPEG, GIF or WebP' })
})

test('only one field of base64 is taken', async () => {
  const { post } = await start()
  const dot = inBase64(png())
  for (const body of [
    {},
    { data: 'not base64!' },
    { data: 7 },
    { ...dot, media_type: 'image/png' },
    { ...dot, path: '/etc/passwd' },
    [dot],
    null,
  ]) {
    const refused = await post('/api/pictures', body)
    expect([body, refused.status]).toEqual([body, 400])
  }
})

test('a message names a picture; one that is not there is refused, and nothing is sent', async () => {
  const { bench, client, post } = await start()
  const { chat_id } = (await (await post('/api/chats', { title: 't' })).json()) as { chat_id: string }
  const message = { type: 'send_message', chat_id, text: '', agent_id: 'a' }
  const send = (pictures: unknown) => post('/api/commands', { ...message, pictures })

  const missing = await send([{ id: '0'.repeat(64), name: 'gone.png' }])
  expect(await missing.json()).toEqual({
    ...{ accepted: false, reason: 'the picture gone.png is not there (any more); add it again' },
  })
  const { id } = await client().keepPicture(png())
  for (const wrong of [
    [{ id: '../../journal.db' }],
    [{ id: id.toUpperCase() }],
    [{ id, media_type: 'image/png' }],
    [{ id, name: '' }],
    [{ id, name: 'x'.repeat(201) }],
    Array.from({ length: MOST_PICTURES + 1 }, () => ({ id })),
  ])
    expect([wrong.length, (await send(wrong)).status]).toEqual([wrong.length, 400])
  expect(bench.envelopes.filter(({ event }) => event.type === 'turn.opened')).toEqual([])

  expect(await (await send([{ id, name: 'dot.png' }])).json()).toEqual({ accepted: true })
  const picture = { id, media_type: 'image/png', bytes: png().length, name: 'dot.png' }
  const opened = await bench.until(({ event }) => event.type === 'turn.opened')
  expect(opened.event).toMatchObject({ prompt: '', pictures: [picture] })
})
