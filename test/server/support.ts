import { onTestFinished } from 'vitest'
import { ChatFollower } from '../../src/client/follow-chat.ts'
import type { HttpOptions } from '../../src/client/http-connection.ts'
import { httpClient } from '../../src/client/http.ts'
import { inProcessClient } from '../../src/client/in-process.ts'
import type { Client, Roster } from '../../src/client/client.ts'
import { workspaceReader } from '../../src/cli/serve-parts.ts'
import type { Asset } from '../../src/server/parts.ts'
import { type RunningServer, type ServeOptions, serve } from '../../src/server/serve.ts'
import { Workbench, type WorkbenchOptions } from '../support/workbench.ts'

export interface TestServer {
  bench: Workbench
  server: RunningServer
  /** Sends the token unless told otherwise. */
  ask: (path: string, init?: RequestInit & { headers?: Record<string, string> }) => Promise<Response>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>
  /** Over HTTP. */
  client: (options?: Partial<HttpOptions>) => Client
}

/** A real server on a free port, with a real engine behind it. */
export async function startServer(
  options: WorkbenchOptions & { serve?: Partial<ServeOptions>; assets?: Map<string, Asset> } = {},
): Promise<TestServer> {
  const bench = new Workbench(options)
  const { engine, journal } = bench
  const server = await serve(
    {
      client: inProcessClient({ engine, journal, roster: async () => rosterOf(bench) }),
      follow: (stream, backlog) => new ChatFollower(journal, engine.subscribe(backlog), stream),
      files: workspaceReader,
      config: async () => ({ file: null, source: '', problems: [] }),
      assets: options.assets ?? new Map(),
    },
    { host: '127.0.0.1', port: 0, ...options.serve },
  )
  onTestFinished(() => server.close())
  const ask: TestServer['ask'] = (path, init = {}) =>
    fetch(`${server.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${server.token}`, ...init.headers },
    })
  return {
    bench,
    server,
    ask,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    client: (more = {}) => {
      const client = httpClient({ url: server.url, token: server.token, ...more })
      onTestFinished(() => client.close())
      return client
    },
  }
}

export const rosterOf = ({ folder }: Workbench): Roster => ({
  version: '0.0.0',
  folder,
  agents: [{ id: 'a', model: 'scripted' }],
  interactive: false,
  settings: { permission: 'ask', max_iterations: 15, reflect: 'never', max_usd: 1 },
})
