import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  answers,
  breaksOff,
  delta,
  event,
  goesSilent,
  streams,
} from '../../support/fault-server.ts'

/** A call with an effect that can be counted: every line of the file is one. */
export const effect = (id: string) => ({
  index: 0,
  id: 'call_1',
  function: { name: 'shell', arguments: JSON.stringify({ command: `echo ${id} >> effects.txt` }) },
})

/** What goes wrong with one request. `id` marks the effect of a call in it. */
export interface Fault {
  name: string
  answer(id: string): Answer
  /** Its calls may run: the reply is strange, but whole. */
  whole?: boolean
  /** The server goes away for a while after it. */
  restarts?: boolean
}

const eventStream = { 'content-type': 'text/event-stream' }

const whole = (id: string): object[] => [
  delta({ content: 'grüß 🙂' }),
  delta({ tool_calls: [effect(id)] }),
  delta({}, 'tool_calls'),
]

/** Writes again and again until the client has gone. */
const forEver =
  (bytes: () => string | Buffer, pause_ms: number): Answer =>
  async (response) => {
    response.writeHead(200, eventStream)
    while (!response.destroyed) {
      if (!response.write(bytes()))
        await Promise.race([sleep(20), new Promise((go) => response.once('drain', go))])
      await sleep(pause_ms)
    }
  }

/** Sends so many bytes of a whole reply and cuts the connection. */
const cutAt =
  (where: (body: Buffer) => number): Fault['answer'] =>
  (id) => {
    const body = Buffer.from(whole(id).map(event).join(''))
    return (response) => {
      response.writeHead(200, eventStream)
      response.write(body.subarray(0, where(body)))
      setImmediate(() => response.socket?.end())
    }
  }

export const refusals: Fault[] = [429, 500, 502, 503, 529].flatMap((status) =>
  [undefined, '0', '0.01', '3600', 'soon', new Date(Date.now() + 30).toUTCString()].map((after) => ({
    name: `${status}, Retry-After ${after ?? 'absent'}`,
    answer: () =>
      answers(status, '{"error":{"message":"no"}}', after === undefined ? {} : { 'retry-after': after }),
  })),
)

export const faults: Fault[] = [
  {
    name: 'connections refused',
    answer: () => (response) => void response.socket?.resetAndDestroy(),
    restarts: true,
  },
  { name: 'reset before the headers', answer: () => (response) => void response.socket?.resetAndDestroy() },
  { name: 'says nothing', answer: () => goesSilent() },
  {
    name: 'headers, then silence',
    answer: () => (response) => {
      response.writeHead(200, eventStream)
      response.flushHeaders()
    },
  },
  { name: 'a call, then silence', answer: (id) => goesSilent(delta({ tool_calls: [effect(id)] })) },
  {
    name: 'a byte at a time',
    answer: (id) => {
      const body = Buffer.from(whole(id).map(event).join(''))
      let at = 0
      return forEver(() => body.subarray(at, ++at), 5)
    },
  },
  { name: 'pings only', answer: () => forEver(() => ': ping\n\n', 5) },
  { name: 'empty pieces only', answer: () => forEver(() => event(delta({ content: '' })), 5) },
  { name: 'unknown events only', answer: () => forEver(() => event({ type: 'ping', pong: [] }), 5) },
  { name: 'cut inside an event', answer: cutAt((body) => body.length - 30) },
  { name: 'cut inside a character', answer: cutAt((body) => body.indexOf(Buffer.from('🙂')) + 2) },
  { name: 'cut after a whole call', answer: (id) => breaksOff(delta({ tool_calls: [effect(id)] })) },
  {
    name: 'an error after a whole call',
    answer: (id) => streams(delta({ tool_calls: [effect(id)] }), { error: { message: 'overloaded' } }),
  },
  {
    name: 'every piece twice',
    answer: (id) => streams(...whole(id).flatMap((chunk) => [chunk, chunk])),
    whole: true,
  },
  {
    name: 'unknown events in between',
    answer: (id) => streams({ type: 'ping' }, ...whole(id).flatMap((chunk) => [{ surprise: id }, chunk])),
    whole: true,
  },
  {
    name: 'an event that is no JSON',
    answer: (id) => (response) => {
      response.writeHead(200, eventStream)
      response.end(`${event(delta({ tool_calls: [effect(id)] }))}data: {"choices":[{\n\ndata: [DONE]\n\n`)
    },
  },
  ...['{"command": echo', '[1,2]', '"echo"', '{"command":"echo LATER', '{"wrong":1}'].map((args): Fault => ({
    name: `arguments ${args}`,
    answer: (id) =>
      streams(
        delta({
          tool_calls: [{ index: 0, id, function: { name: 'shell', arguments: args.replace('LATER', id) } }],
        }),
        delta({}, 'tool_calls'),
      ),
  })),
  {
    name: 'arguments cut by the longest length',
    answer: (id) => {
      const call = effect(id)
      const half = { ...call.function, arguments: call.function.arguments.slice(0, -2) }
      return streams(delta({ tool_calls: [{ ...call, function: half }] }), delta({}, 'length'))
    },
  },
  {
    name: 'far too long arguments',
    answer: (id) => {
      const piece = `${'x'.repeat(50_000)}`
      const start = {
        index: 0,
        id,
        function: { name: 'shell', arguments: `{"command":"echo ${id} >> effects.txt #` },
      }
      const next = delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
      const end = delta({ tool_calls: [{ index: 0, function: { arguments: '"}' } }] }, 'tool_calls')
      return streams(delta({ tool_calls: [start] }), next, next, next, end)
    },
  },
  { name: 'endless text', answer: () => forEver(() => event(delta({ content: 'x'.repeat(1000) })), 0) },
  { name: 'endless thinking', answer: () => forEver(() => event(delta({ reasoning: 'x'.repeat(1000) })), 0) },
  {
    name: 'endless calls',
    answer: (id) => {
      let index = 0
      return forEver(
        () => event(delta({ tool_calls: [{ ...effect(id), index: index++, id: `${index}` }] })),
        0,
      )
    },
  },
  {
    name: 'two calls of one id',
    answer: (id) => {
      const second = { ...effect(`${id}-b`), index: 1 }
      return streams(delta({ tool_calls: [effect(`${id}-a`), second] }), delta({}, 'tool_calls'))
    },
    whole: true,
  },
  { name: 'a web page', answer: () => answers(200, '<html>hi</html>', { 'content-type': 'text/html' }) },
  { name: 'plain text type', answer: (id) => retyped(id, 'text/plain'), whole: true },
  { name: 'the wrong type', answer: (id) => retyped(id, 'application/json') },
  { name: 'an empty body', answer: () => answers(200, '') },
  {
    name: 'no end, and the connection is reset when it is used again',
    answer: (id) => (response) => {
      response.writeHead(200, eventStream)
      response.end([...whole(id).map(event), 'data: [DONE]\n\n'].join(''))
      response.socket?.once('data', () => response.socket?.resetAndDestroy())
    },
    whole: true,
  },
]

function retyped(id: string, type: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': type })
    response.end([...whole(id).map(event), 'data: [DONE]\n\n'].join(''))
  }
}
