import { expect, test } from 'vitest'
import { openBlobStore } from '../../../src/adapters/undo/blob-store.ts'
import type { Picture } from '../../../src/schema/picture.ts'
import { startServer } from '../../server/support.ts'
import { png } from '../../support/sample-pictures.ts'
import { temporaryFolder, writeFiles } from '../../support/workbench.ts'

const body = { data: png().toString('base64') }

async function start() {
  const folder = temporaryFolder()
  writeFiles(folder, { 'secret.png': png().toString('latin1'), 'pictures/inside.txt': 'canary' })
  const running = await startServer({ parts: { pictures: openBlobStore(`${folder}/pictures`) } })
  const { id } = (await (await running.post('/api/pictures', body)).json()) as Picture
  return { ...running, id }
}

test('19: pictures are neither taken nor shown without the token', async () => {
  const { server, id } = await start()
  const headers = { 'content-type': 'application/json' }
  const taken = await fetch(`${server.url}/api/pictures`, {
    ...{ method: 'POST', headers, body: JSON.stringify(body) },
  })
  const shown = await fetch(`${server.url}/api/pictures/${id}`)
  expect([taken.status, shown.status]).toEqual([401, 401])
  expect(shown.headers.get('content-type')).toContain('application/json')
})

test('20: other pages can neither leave a picture nor load one', async () => {
  const { server, ask, post, id } = await start()
  const foreign: Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) {
    const taken = await post('/api/pictures', body, headers)
    const shown = await ask(`/api/pictures/${id}`, { headers })
    expect([headers, taken.status, shown.status]).toEqual([headers, 403, 403])
  }
  const own = { origin: server.url, 'sec-fetch-site': 'same-origin' }
  expect((await post('/api/pictures', body, own)).status).toBe(200)
})

test('20: a picture comes as JSON, not as a form or as itself', async () => {
  const { ask } = await start()
  for (const type of [
    'image/png',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
  ]) {
    const taken = await ask('/api/pictures', {
      ...{ method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) },
    })
    expect([type, taken.status]).toEqual([type, 403])
  }
})

test('22: an id is no path', async () => {
  const { ask, id } = await start()
  for (const path of [
    '..%2fsecret.png',
    'inside.txt',
    '%2fetc%2fpasswd',
    `${id}.tmp`,
    `${id}%00`,
    `${id}%0a`,
    `..%2fpictures%2f${id}`,
    id.slice(1),
    id.toUpperCase(),
  ]) {
    const shown = await ask(`/api/pictures/${path}`)
    const text = await shown.text()
    expect([path, shown.status, text.includes('canary')]).toEqual([path, 400, false])
  }
  for (const path of [`${id}/x`, '%2e%2e/secret.png'])
    expect([path, (await ask(`/api/pictures/${path}`)).status]).toEqual([path, 404])
  const unknown = await ask(`/api/pictures/${'0'.repeat(64)}`)
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'there is no such picture' }])
})

test('23: a picture is shown as nothing else, wherever it is opened', async () => {
  const { ask, id } = await start()
  const { headers } = await ask(`/api/pictures/${id}`)
  expect(headers.get('content-type')).toBe('image/png')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('cache-control')).toBe('no-store')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|\*|data:|blob:|https?:/u)
})
