import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { Access } from './access.ts'
import { type App, createApp } from './app.ts'
import { WRITTEN } from './event-routes.ts'
import { EventStreams, type StreamLimits, streamLimits } from './event-streams.ts'
import type { ServerParts } from './parts.ts'

export interface ServeOptions {
  port: number
  host: string
  /** The person said that others on the network may connect, too. */
  allow_remote?: boolean
  token?: string
  limits?: Partial<StreamLimits>
}

export interface RunningServer {
  /** Without the token. */
  url: string
  token: string
  /** With it: opens the page. */
  page: string
  app: App
  streams: EventStreams
  close(): Promise<void>
}

/** The address is not this machine's own, and nobody said that it may be used. */
export class RemoteRefused extends Error {}

export async function serve(parts: ServerParts, options: ServeOptions): Promise<RunningServer> {
  const { host, allow_remote = false } = options
  if (!isLoopback(host) && !allow_remote) {
    throw new RemoteRefused(
      `${host} can be reached from other machines. Whoever has the token can run commands here; ` +
        'if that is what you want, add --allow-remote',
    )
  }
  // Importing it as a module would load all of the fetch implementation first.
  const http = process.getBuiltinModule('node:http')
  const streams = new EventStreams({ ...streamLimits, ...options.limits })
  const server = http.createServer({
    maxHeaderSize: 16 * 1024,
    requestTimeout: 30_000,
    headersTimeout: 15_000,
  })
  server.maxConnections = 1_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, () => resolve())
  })
  const { port } = server.address() as AddressInfo
  const access = new Access(port, options.token)
  const app = createApp(parts, { access, hosts: hostNames(host, port), streams })
  server.on('request', (incoming, outgoing) => void answer(app, incoming, outgoing))
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n'))
  server.on('clientError', (_, socket) => socket.destroy())
  const url = `http://${bracket(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)}:${port}`
  return {
    url,
    token: access.token,
    page: `${url}/?token=${access.token}`,
    app,
    streams,
    async close() {
      streams.closeAll()
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeIdleConnections()
      // A connection that was just told to end gets a moment to do so.
      const timer = setTimeout(() => server.closeAllConnections(), 500)
      await closed
      clearTimeout(timer)
    },
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** What `Host` may say. A name that merely resolves to us is not among them. */
function hostNames(host: string, port: number): Set<string> {
  const names = ['127.0.0.1', 'localhost', '::1', host]
  if (host === '0.0.0.0' || host === '::') {
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    names.push(hostname(), ...own.map(({ address }) => address))
  }
  const withPort = names.map((name) => `${bracket(name.toLowerCase())}:${port}`)
  return new Set(port === 80 ? [...withPort, ...names.map((name) => bracket(name.toLowerCase()))] : withPort)
}

const bracket = (host: string): string => (host.includes(':') ? `[${host}]` : host)

async function answer(app: App, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    // There is no `Request` with this method.
    if (incoming.method === 'TRACE') {
      outgoing.writeHead(405, { 'content-length': '0' }).end()
      return
    }
    const response = await app.fetch(toRequest(incoming), { incoming, outgoing })
    if (response.headers.has(WRITTEN)) return
    const body = Buffer.from(await response.arrayBuffer())
    const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) headers['set-cookie'] = cookies
    outgoing.writeHead(response.status, { ...headers, 'content-length': String(body.length) })
    outgoing.end(body)
    // What was refused is not read to its end.
    if (!incoming.complete) incoming.resume()
  } catch (error) {
    process.stderr.write(`conclave: ${(error as Error).stack ?? String(error)}\n`)
    outgoing.destroy()
  }
}

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', headers: given, url = '/' } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  // The host of the address is of no use to us: the guard looks at the header.
  const address = new URL(url.startsWith('/') ? url.replace(/^\/+/, '/') : '/', 'http://conclave.invalid')
  // A body is read by the routes that take one, from what Node gives them: so it can be bounded.
  return new Request(address, { method, headers })
}
