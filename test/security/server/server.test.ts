import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../../src/server/openapi.ts'
import { RemoteRefused, serve } from '../../../src/server/serve.ts'
import { type TestServer, startServer } from '../../server/support.ts'

/** Every route, as the router itself has it, with something in the place of its parameters. */
function routesOf({ server }: TestServer): { method: string; path: string }[] {
  const routes = server.app.routes.filter(({ method }) => method !== 'ALL')
  return routes.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, 'chat_1') }))
}

/** What comes back, as it is on the wire: fetch would not send such requests. */
function raw(server: TestServer['server'], lines: string[]): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    let text = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (data) => {
      text += String(data)
      if (text.includes('\r\n\r\n')) socket.end()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

const statusOf = (answer: string): string => answer.split('\r\n', 1)[0] ?? ''

test('19: every route of the router wants the token, except health', async () => {
  const running = await startServer()
  const routes = routesOf(running)
  expect(routes.length).toBeGreaterThan(15)
  for (const { method, path } of routes) {
    const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
    const without = await fetch(`${running.server.url}${path}`, { method, ...body, redirect: 'manual' })
    expect([method, path, without.status]).toEqual([method, path, path === '/api/health' ? 200 : 401])
    for (const authorization of [
      'Bearer wrong',
      'Bearer ',
      `Basic ${running.server.token}`,
      `Bearer ${running.server.token}x`,
    ]) {
      const wrong = await fetch(`${running.server.url}${path}`, {
        method,
        redirect: 'manual',
        ...body,
        headers: { 'content-type': 'application/json', authorization },
      })
      expect([path, authorization, wrong.status]).toEqual([
        path,
        authorization,
        path === '/api/health' ? 200 : 401,
      ])
    }
  }
})

test('19: what is not there, and a route somebody adds, want the token too', async () => {
  const running = await startServer()
  running.server.app.get('/api/brand-new', (context) => context.text('secret'))
  for (const path of [
    '/api/brand-new',
    '/api/nothing',
    '/nothing',
    '/?token=wrong',
    '/api/health/x',
    '//api/chats',
  ]) {
    const answer = await fetch(`${running.server.url}${path}`, { redirect: 'manual' })
    expect([path, answer.status]).toEqual([path, 401])
  }
  expect((await running.ask('/api/brand-new')).status).toBe(200)
})

test('19: the cookie of a page is as good as the token, is not the token, and no script can read it', async () => {
  const { server } = await startServer()
  const entered = await fetch(server.page, { redirect: 'manual' })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
  const cookie = entered.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain(server.token)
  const [pair = ''] = cookie.split(';')
  expect((await fetch(`${server.url}/api/chats`, { headers: { cookie: pair } })).status).toBe(200)
  expect((await fetch(`${server.url}/api/chats`, { headers: { cookie: `${pair}x` } })).status).toBe(401)
  const cross = await fetch(`${server.url}/api/chats`, {
    headers: { cookie: pair, 'sec-fetch-site': 'cross-site' },
  })
  expect(cross.status).toBe(403)
})

test('20: foreign hosts, origins and sites, upgrades and forms are refused, with the right token too', async () => {
  const running = await startServer()
  const { server, ask } = running
  const { port } = new URL(server.url)
  const token = `authorization: Bearer ${server.token}`
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    `127.0.0.1:${Number(port) + 1}`,
    `127.0.0.1.evil.example:${port}`,
  ]) {
    const answer = await raw(server, ['GET /api/chats HTTP/1.1', `host: ${host}`, token])
    expect([host, statusOf(answer)]).toEqual([host, 'HTTP/1.1 403 Forbidden'])
  }
  for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
    const answer = await raw(server, ['GET /api/chats HTTP/1.1', `host: ${host}`, token])
    expect([host, statusOf(answer)]).toEqual([host, 'HTTP/1.1 200 OK'])
  }
  for (const origin of [
    'null',
    'http://evil.example',
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    'file://',
    '',
  ]) {
    const lines = ['GET /api/chats HTTP/1.1', `host: 127.0.0.1:${port}`, token, `origin: ${origin}`]
    expect([origin, statusOf(await raw(server, lines))]).toEqual([origin, 'HTTP/1.1 403 Forbidden'])
  }
  for (const site of ['cross-site', 'same-site', 'odd']) {
    expect((await ask('/api/chats', { headers: { 'sec-fetch-site': site } })).status).toBe(403)
  }
  const upgrade = [
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: x',
  ]
  const socket = await raw(server, ['GET /api/events HTTP/1.1', `host: 127.0.0.1:${port}`, token, ...upgrade])
  expect(statusOf(socket)).toBe('HTTP/1.1 403 Forbidden')
  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'text/plain',
    'application/jsonx',
    undefined,
  ]) {
    const answer = await ask('/api/commands', {
      method: 'POST',
      body: new TextEncoder().encode('{"type":"interrupt","chat_id":"chat_1"}'),
      headers: type ? { 'content-type': type } : {},
    })
    expect([type, answer.status]).toEqual([type, 403])
  }
})

test('20: health is open, but not to another host', async () => {
  const { server } = await startServer()
  const answer = await raw(server, ['GET /api/health HTTP/1.1', 'host: evil.example'])
  expect(statusOf(answer)).toBe('HTTP/1.1 403 Forbidden')
})

test('21: an address that others can reach is refused unless the person says so', async () => {
  const parts = {} as Parameters<typeof serve>[0]
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com']) {
    await expect(serve(parts, { host, port: 0 })).rejects.toThrow(RemoteRefused)
  }
  const open = await startServer({ serve: { host: '0.0.0.0', allow_remote: true } })
  expect((await open.ask('/api/chats')).status).toBe(200)
  expect((await fetch(`${open.server.url}/api/chats`)).status).toBe(401)
})

test('22: a client cannot widen what it may do', async () => {
  const { bench, post } = await startServer({ replies: [{ text: 'Hi.' }] })
  const { chat_id } = (await (await post('/api/chats', { title: 't' })).json()) as {
    chat_id: `chat_${string}`
  }
  const message = { type: 'send_message', chat_id, text: 'x', agent_id: 'a' }
  for (const settings of [
    { reach: { root: '/', root_access: 'write', context: [] } },
    { rules: [{ tool: '*', action: 'allow' }] },
    { tools: [] },
    { mode: 'Act' },
    { grants: [{ tool: 'shell', resource: 'rm' }] },
  ]) {
    expect((await post('/api/commands', { ...message, settings })).status).toBe(400)
  }
  for (const extra of [{ scopes: ['admin'] }, { folder: '/' }, { __proto__: null, constructor: 1 }]) {
    expect((await post('/api/commands', { ...message, ...extra })).status).toBe(400)
  }
  const wider = { permission: 'auto', max_usd: 100, max_iterations: 10_000 }
  expect(await (await post('/api/commands', { ...message, settings: wider })).json()).toEqual({
    accepted: true,
  })
  const opened = await bench.until(({ event }) => event.type === 'turn.opened')
  expect(opened.event).toMatchObject({ settings: { permission: 'ask', max_usd: 1, max_iterations: 15 } })
  const elsewhere = { type: 'create_chat', chat_id: 'chat_2', folder: '/', title: 't' }
  expect((await post('/api/commands', elsewhere)).status).toBe(403)
  expect((await post('/api/commands', { type: 'write_config', text: 'x' })).status).toBe(400)
})

test('22: the config can only be read', async () => {
  const running = await startServer()
  const changing = routesOf(running).filter(({ method }) => method !== 'GET')
  expect(changing.map(({ path }) => path).toSorted()).toEqual([
    '/api/chats',
    '/api/chats/id',
    '/api/commands',
    '/api/pictures',
  ])
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
    const answer = await running.ask('/api/config', {
      method,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect([method, answer.status]).toEqual([method, 404])
  }
})

test('22: no path leads out of the workspace, and no link is followed', async () => {
  const { bench, ask, server } = await startServer({
    files: { '.conclave/CONTEXT.md': 'known', 'secret.txt': 'canary' },
    assets: new Map([['index.html', { type: 'text/html', body: new TextEncoder().encode('page') }]]),
  })
  await bench.must({ type: 'create_chat', chat_id: bench.chat, folder: bench.folder, title: 't' })
  const workspace = join(bench.folder, '.conclave')
  symlinkSync(join(bench.folder, 'secret.txt'), join(workspace, 'link.txt'))
  symlinkSync(bench.folder, join(workspace, 'up'))
  mkdirSync(join(workspace, 'runs'))
  writeFileSync(join(workspace, 'runs', 'log.txt'), 'fine')
  const read = async (path: string) => {
    const answer = await ask(`/api/chats/${bench.chat}/workspace?path=${encodeURIComponent(path)}`)
    return { status: answer.status, text: await answer.text() }
  }
  expect(await read('CONTEXT.md')).toMatchObject({ status: 200, text: expect.stringContaining('known') })
  expect((await read('')).text).toContain('"runs"')
  for (const path of [
    '../secret.txt',
    'runs/../../secret.txt',
    '/etc/passwd',
    'link.txt',
    'up/secret.txt',
    '..',
    '.',
    'a\0b',
    '..\\secret.txt',
    '%2e%2e/secret.txt',
  ]) {
    const { status, text } = await read(path)
    expect([path, status >= 400 && status < 500, text.includes('canary')]).toEqual([path, true, false])
  }
  const { port } = new URL(server.url)
  const token = `authorization: Bearer ${server.token}`
  for (const path of [
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/.%2e/x',
    '/index.html/../../package.json',
    '/assets/../../package.json',
    '/\\..\\package.json',
    '//etc/passwd',
  ]) {
    const answer = await raw(server, [`GET ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, token])
    expect([path, statusOf(answer)]).toEqual([path, 'HTTP/1.1 404 Not Found'])
  }
})

test('23: every answer carries a policy under which nothing foreign loads or runs', async () => {
  const running = await startServer({
    assets: new Map([['index.html', { type: 'text/html', body: new TextEncoder().encode('page') }]]),
  })
  for (const path of ['/', '/api/chats', '/api/nothing', '/api/health']) {
    const { headers } = await running.ask(path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|data:|blob:|https?:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('bodies are bounded, and errors are words, not stacks', async () => {
  const { ask, post } = await startServer()
  const large = await ask('/api/commands', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'give_guidance', turn_id: 'turn_1', text: 'x'.repeat(2_000_000) }),
  })
  expect(large.status).toBe(413)
  const broken = await ask('/api/commands', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  })
  expect(await broken.json()).toEqual({ error: expect.stringContaining('not JSON') })
  const wrong = await post('/api/commands', { type: 'interrupt', chat_id: 'x' })
  expect(await wrong.text()).not.toMatch(/\bat \w+.*\.ts/)
})

test('the document names every route of the API, and the schemas that check them', async () => {
  const running = await startServer()
  const routes = running.server.app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(Object.keys(operations).toSorted()).toEqual(routes.toSorted())
  const document = (await (await running.ask('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const text = JSON.stringify(document.paths['/api/commands'])
  expect(text).toContain('"answer_pending"')
  expect(text).toContain('"additionalProperties":false')
})

test('20: a request that cannot be is answered, and without the token a person reads what to do', async () => {
  const { server } = await startServer()
  const { host } = new URL(server.url)
  expect(statusOf(await raw(server, ['TRACE / HTTP/1.1', `Host: ${host}`]))).toContain('405')
  const page = await fetch(server.url)
  expect(page.status).toBe(401)
  expect(page.headers.get('content-type')).toContain('text/plain')
  expect(await page.text()).toContain('open the address that conclave serve printed')
})
