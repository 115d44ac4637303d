import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import type { WebPage } from '../../ports/web.ts'
import { type HttpWebOptions, httpWeb } from './http-web.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function serve(handler: Handler): Promise<{ port: number; url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    handler(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, requests }
}

const html: Handler = (_, response) => void response.setHeader('content-type', 'text/html').end('<p>hi')

const get = (url: string, options: Partial<HttpWebOptions> = {}, signal = new AbortController().signal) =>
  httpWeb({ allow: ['127.0.0.1'], deny: [], version: '1', ...options }).get(url, signal) as Promise<
    WebPage & { refused: string }
  >

it('reads a page of an allowed host, with nothing of the user in the request', async () => {
  const { url, requests } = await serve(html)
  expect(await get(`${url}/a?b=1#c`)).toEqual({
    url: `${url}/a?b=1#c`,
    status: 200,
    content_type: 'text/html',
    text: '<p>hi',
    cut: false,
  })
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /a?b=1'])
  const { cookie, authorization, referer } = requests[0]?.headers ?? {}
  expect([cookie, authorization, referer]).toEqual([undefined, undefined, undefined])
})

it.each([
  ['file:///etc/passwd', /only http and https/],
  ['ftp://example.org/', /only http and https/],
  ['not an address', /not an address/],
  ['http://user:pass@127.0.0.1/', /name or password/],
  ['http://other.example/', /not in web_fetch\.allow/],
  [`http://127.0.0.1/${'x'.repeat(5_000)}`, /more than 4000 characters/],
])('refuses %s', async (url, why) => {
  expect((await get(url)).refused).toMatch(why)
})

it('takes the rules at their word: wildcards, ports, denials, letter case', async () => {
  const resolve = async () => ['127.0.0.1']
  const { port, requests } = await serve(html)
  const visit = async (host: string, allow: string[], deny: string[] = []) =>
    (await get(`http://${host}:${port}/`, { allow: [...allow, '127.0.0.1'], deny, resolve })).refused ??
    'read'
  expect(await visit('docs.example.org', ['*.Example.org'])).toBe('read')
  expect(await visit('DOCS.example.org.', ['*.example.org'])).toBe('read')
  expect(await visit('example.org', ['*.example.org'])).toMatch(/not in web_fetch\.allow/)
  expect(await visit('evilexample.org', ['*.example.org'])).toMatch(/not in web_fetch\.allow/)
  expect(await visit('example.org.evil.test', ['example.org'])).toMatch(/not in web_fetch\.allow/)
  expect(await visit('a.example.org', ['*.example.org'], ['a.*'])).toMatch(/deny/)
  expect(await visit('example.org', [`example.org:${port}`])).toBe('read')
  expect(await visit('example.org', ['example.org:1'])).toMatch(/not in web_fetch\.allow/)
  expect(requests).toHaveLength(3)
})

it('refuses private addresses, however written, unless the address itself is listed', async () => {
  const { port, requests } = await serve(html)
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '0.0.0.0',
  ]) {
    expect((await get(`http://${host}:${port}/`, { allow: ['*'] })).refused, host).toMatch(/private address/)
  }
  expect(requests).toHaveLength(0)
  // The control: the same request arrives when the address is listed.
  expect((await get(`http://0x7f.1:${port}/`)).status).toBe(200)
})

it('connects to the very address it checked, so a name cannot be bound anew', async () => {
  const { port, requests } = await serve(html)
  const url = `http://rebind.test:${port}/`
  const lookups: string[] = []
  const resolve = async (host: string) => {
    lookups.push(host)
    return ['127.0.0.1']
  }
  expect((await get(url, { allow: ['rebind.test'], resolve })).refused).toMatch(
    /private address 127\.0\.0\.1/,
  )
  const mixed = async () => ['8.8.8.8', '127.0.0.1']
  expect((await get(url, { allow: ['*'], resolve: mixed })).refused).toMatch(/private address 127\.0\.0\.1/)
  expect(requests).toHaveLength(0)
  lookups.length = 0
  expect((await get(url, { allow: ['rebind.test', '127.0.0.1'], resolve })).status).toBe(200)
  expect(lookups).toEqual(['rebind.test'])
  expect(requests[0]?.headers.host).toBe(`rebind.test:${port}`)
})

it('follows five redirects, each checked like the first, and no more', async () => {
  const secret = await serve(html)
  const { url, requests } = await serve((request, response) => {
    const left = Number(request.url?.slice(1))
    if (request.url === '/out')
      response.writeHead(302, { location: `http://localhost:${secret.port}/` }).end()
    else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else if (request.url === '/in') response.writeHead(302, { location: 'http://user:x@127.0.0.1/' }).end()
    else if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
    else html(request, response)
  })
  expect((await get(`${url}/5`)).url).toBe(`${url}/0`)
  expect((await get(`${url}/6`)).refused).toMatch(/more than 5 times/)
  expect(requests).toHaveLength(12)
  expect((await get(`${url}/out`)).refused).toMatch(/redirects to .*localhost.*not in web_fetch\.allow/)
  expect((await get(`${url}/out`, { allow: ['*', '127.0.0.1:1'], deny: ['localhost'] })).refused).toMatch(
    /deny/,
  )
  expect((await get(`${url}/file`)).refused).toMatch(/only http/)
  expect((await get(`${url}/in`)).refused).toMatch(/name or password/)
  expect(secret.requests).toHaveLength(0)
})

it('reads text only, in its own encoding', async () => {
  const { url } = await serve((request, response) => {
    const [type, body] = {
      '/latin': ['text/plain; charset=iso-8859-1', Buffer.from([0x67, 0xfc, 0x6e])],
      '/png': ['image/png', Buffer.from('x')],
      '/nul': ['text/plain', Buffer.from('a\0b')],
      '/odd': ['text/plain; charset=klingon', Buffer.from('ok')],
    }[request.url ?? ''] as [string, Buffer]
    response.setHeader('content-type', type).end(body)
  })
  expect((await get(`${url}/latin`)).text).toBe('gün')
  expect((await get(`${url}/odd`)).text).toBe('ok')
  expect((await get(`${url}/png`)).refused).toMatch(/is image\/png, and only text/)
  expect((await get(`${url}/nul`)).refused).toMatch(/is not text/)
})

it('stops at its size, also of what was packed, and at its time', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'))
  const { url } = await serve((request, response) => {
    response.setHeader('content-type', 'text/plain')
    if (request.url === '/bomb') response.setHeader('content-encoding', 'gzip').end(bomb)
    else if (request.url === '/slow') response.write('a')
    else if (request.url === '/endless') {
      const pour = (): void => {
        while (response.write('e'.repeat(60_000)));
        response.once('drain', pour)
      }
      pour()
    }
  })
  for (const path of ['/bomb', '/endless']) {
    const page = await get(url + path, { longest_bytes: 100_000 })
    expect([page.text.length, page.cut]).toEqual([100_000, true])
  }
  expect((await get(`${url}/slow`, { timeout_ms: 300 })).refused).toMatch(/within 300 ms/)
  expect((await get(`${url}/slow`, {}, AbortSignal.timeout(200))).refused).toMatch(/cancelled/)
  const stuck = () => new Promise<string[]>(() => {})
  expect((await get('http://x.test/', { allow: ['*'], resolve: stuck, timeout_ms: 200 })).refused).toMatch(
    /within 200 ms/,
  )
})
