// Many pages on one streaming run: what the server pays for each event it delivers, and what it keeps for each client.
// Run: sh scripts/node.sh bench/sse.ts
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFiles } from '../src/adapters/files/gateway.ts'
import { openMemoryJournal } from '../src/adapters/journal/memory-journal.ts'
import { localShell } from '../src/adapters/shell/local-shell.ts'
import { systemClock } from '../src/adapters/system-clock.ts'
import { ChatFollower } from '../src/client/follow-chat.ts'
import { inProcessClient } from '../src/client/in-process.ts'
import { Engine } from '../src/engine/engine.ts'
import type { ChatId } from '../src/schema/ids.ts'
import { type RunningServer, serve } from '../src/server/serve.ts'
import { streamingModel } from '../test/server/streaming-model.ts'

/** As fast as it can, to see what an event costs; in a pace, to see how late it comes. */
const modes = {
  flat: { pieces: 10_000, size: 400, pause: 40 },
  paced: { pieces: 2_000, size: 2_000, pause: 4, pause_ms: 10 },
} as const

interface Measured {
  delivered: number
  /** CPU of the server, in µs. */
  cpu: number
  /** Bytes the server grew by at most, beside what it had before anybody connected. */
  grown: number
  /** Clients that took nothing any more at the end. */
  blocked: number
  /** How old events were when they arrived, in ms. */
  late: { median: number; p95: number }
}

const [, , role, ...rest] = process.argv
if (role === 'clients') await beClients(rest)
else if (role === 'server') await beServer(rest)
else await compare()

/** With and without clients that never read, in turns: what else the machine does falls on both. */
async function compare(): Promise<void> {
  await report('1 client, flat out', [await measure('flat', 1, 0)])
  for (const mode of ['flat', 'paced'] as const) {
    const alone: Measured[] = []
    const beside: Measured[] = []
    for (let round = 0; round < 3; round++) {
      alone.push(await measure(mode, 200, 0))
      beside.push(await measure(mode, 200, 20))
    }
    await report(`200 clients, ${mode}`, alone)
    await report(`200 clients, ${mode}, 20 more that never read`, beside)
  }
}

async function report(what: string, rounds: Measured[]): Promise<void> {
  const each = (show: (measured: Measured) => number, digits: number): string =>
    rounds.map((measured) => show(measured).toFixed(digits)).join(' / ')
  const lines = [
    `delivered ${each(({ delivered }) => delivered, 0)}`,
    `CPU for each, µs ${each(({ cpu, delivered }) => cpu / delivered, 2)}`,
    `clients that take nothing at the end ${each(({ blocked }) => blocked, 0)}`,
    `memory, MB ${each(({ grown }) => grown / 1e6, 0)}`,
    `late, ms: median ${each(({ late }) => late.median, 0)}, p95 ${each(({ late }) => late.p95, 0)}`,
  ]
  process.stdout.write(`${what}\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

/** In a process of its own, so that the memory is this one's alone. */
async function measure(mode: keyof typeof modes, clients: number, deaf: number): Promise<Measured> {
  const child = fork(import.meta.filename, ['server', mode, String(clients), String(deaf)])
  const [measured] = (await once(child, 'message')) as [Measured]
  await once(child, 'exit')
  return measured
}

async function beServer([mode = 'flat', clients = '', deaf = '']: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-'))
  const journal = openMemoryJournal()
  const engine = new Engine({
    journal,
    clock: systemClock,
    tools: [],
    agent: async (id) => ({ id, model: streamingModel(modes[mode as keyof typeof modes]) }),
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
  })
  const server = await serve(
    {
      client: inProcessClient({ engine, journal, roster: () => Promise.reject(new Error('not asked for')) }),
      follow: (stream, backlog) => new ChatFollower(journal, engine.subscribe(backlog), stream),
      files: { read: async () => ({ refused: 'not part of this' }) },
      config: async () => ({ file: null, source: '', problems: [] }),
      assets: new Map(),
    },
    { host: '127.0.0.1', port: 0 },
  )
  const chat_id = engine.newChatId()
  await engine.execute({ type: 'create_chat', chat_id, folder, title: 'bench' })
  const empty = process.memoryUsage.rss()
  const watching = await watch(server, chat_id, Number(clients), Number(deaf))
  const before = process.cpuUsage()
  let most = empty
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50)
  const settings = { permission: 'deny', max_iterations: 1, reflect: 'never' } as const
  await engine.execute({ type: 'send_message', chat_id, text: 'go', agent_id: 'a', settings })
  await engine.whenIdle(chat_id)
  const seen = await watching()
  clearInterval(looking)
  const { user, system } = process.cpuUsage(before)
  process.send?.({
    ...seen,
    cpu: user + system,
    grown: most - empty,
    blocked: server.streams.blocked,
  } satisfies Measured)
  await server.close()
  await engine.close()
  rmSync(folder, { recursive: true })
  process.disconnect()
}

type Seen = Pick<Measured, 'delivered' | 'late'>

/** Starts clients in a process of their own; the result waits until all of them saw the end. */
async function watch(
  { url, token, streams }: RunningServer,
  chat: ChatId,
  clients: number,
  deaf: number,
): Promise<() => Promise<Seen>> {
  const child = fork(import.meta.filename, ['clients', url, token, chat, String(clients), String(deaf)])
  const done = once(child, 'message')
  while (streams.size < clients + deaf) await new Promise((resolve) => setTimeout(resolve, 10))
  return async () => {
    const [seen] = (await done) as [Seen]
    child.kill()
    return seen
  }
}

async function beClients([
  url = '',
  token = '',
  chat = '',
  clients = '',
  deaf = '',
]: string[]): Promise<void> {
  const open = () =>
    request(`${url}/api/events?stream=${chat}`, {
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    })
  for (let client = 0; client < Number(deaf); client++)
    open()
      .on('response', (response) => response.pause())
      .end()
  const ages: number[] = []
  const counts = Array.from({ length: Number(clients) }, async () => {
    const asking = open().end()
    const [response] = (await once(asking, 'response')) as [AsyncIterable<Buffer>]
    let count = 0
    for await (const bytes of response) {
      const text = bytes.toString('latin1')
      for (let at = text.indexOf('data: {"v"'); at >= 0; at = text.indexOf('data: {"v"', at + 1)) count++
      // The first of a piece has waited longest.
      const at = /"at":"([^"]+)"/.exec(text)?.[1]
      if (at) ages.push(Date.now() - Date.parse(at))
      if (text.includes('"turn.closed"')) break
    }
    return count
  })
  const all = await Promise.all(counts)
  ages.sort((a, b) => a - b)
  const age = (part: number): number => ages[Math.floor(ages.length * part)] ?? 0
  const delivered = all.reduce((sum, count) => sum + count, 0)
  process.send?.({ delivered, late: { median: age(0.5), p95: age(0.95) } } satisfies Seen)
}
