import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { messageLines } from '../mcp/message-lines.ts'
import { type Tether, startServer } from '../mcp/server-process.ts'
import { cappedOutput } from '../shell/capped-output.ts'
import { type Json, asObject } from './read-json.ts'

export interface Launch {
  command: string
  args: string[]
  cwd: string
  env: Record<string, string>
}

export interface AgentProcess {
  /** Its messages, as the SDK wants them. */
  stream: Stream
  /** Told of every notification, in order with the messages of the stream. */
  onNotification: ((method: string, params: Json) => void) | undefined
  /** Why it is gone, once it is. */
  readonly ended: string | undefined
  /** What it printed that was no message, for an error report. */
  readonly stray: string | undefined
  /** While held it keeps our process alive; an idle agent does not. */
  hold(on: boolean): void
  /** Ends every process of it. */
  end(reason: string): Promise<void>
}

const LONGEST_MESSAGE = 10_000_000
/** Messages read ahead of what has been taken. */
const READ_AHEAD = 64

/**
 * Starts an agent that speaks over stdin and stdout. Lines that are no messages are passed over, and so are answers to
 * questions nobody asked. Notifications do not go through the SDK, which would drop those of other versions of the
 * protocol; it would also print such things onto the person's screen.
 */
export function startAgent(launch: Launch, tether: Tether): AgentProcess {
  const server = startServer(launch, tether)
  const { child } = server
  const lines = messageLines()
  const complaints = cappedOutput({ head: 400, tail: 800 })
  const asked = new Set<unknown>()
  let ended: string | undefined
  let stray: string | undefined
  let ending: Promise<void> | undefined
  let incoming: ReadableStreamDefaultController<AnyMessage> | undefined

  const end = (reason: string): Promise<void> => {
    ended ??= reason
    ending ??= server.end().finally(() => {
      try {
        incoming?.close()
      } catch {
        // The other side has closed it.
      }
    })
    return ending
  }

  const take = (line: string): void => {
    let message: Json
    try {
      message = asObject(JSON.parse(line))
    } catch {
      stray ??= line.slice(0, 200)
      return
    }
    const { id, method, params } = message
    if (typeof method === 'string' && id === undefined)
      return agent.onNotification?.(method, asObject(params))
    if (method === undefined && !asked.delete(id)) return
    incoming?.enqueue(message as AnyMessage)
    if ((incoming?.desiredSize ?? 0) <= 0) child.stdout?.pause()
  }

  child.stderr?.on('data', (chunk: Buffer) => complaints.add(chunk))
  child.stdout?.on('data', (chunk: Buffer) => {
    if (ended !== undefined) return
    const complete = lines.add(chunk)
    if (Math.max(lines.waiting, ...complete.map(({ length }) => length)) > LONGEST_MESSAGE)
      return void end(`it sent a message of more than ${LONGEST_MESSAGE} bytes, so it was ended`)
    for (const line of complete) take(line)
  })
  child.once('error', (error) => void end(`it could not be started: ${error.message}`))
  child.once('exit', (code, signal) => {
    const how = signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`
    // Its last words may still be on the way.
    const gone = (): void => {
      const said = complaints.text().trim() || stray
      void end(said ? `${how}; it said: ${said}` : how)
    }
    const timer = setTimeout(gone, 200)
    child.once('close', () => (clearTimeout(timer), gone()))
  })

  const agent: AgentProcess = {
    onNotification: undefined,
    stream: {
      readable: new ReadableStream<AnyMessage>(
        {
          start: (controller) => void (incoming = controller),
          pull: () => void child.stdout?.resume(),
        },
        { highWaterMark: READ_AHEAD },
      ),
      writable: new WritableStream<AnyMessage>({
        write(message) {
          if (!child.stdin?.writable) throw new Error(ended ?? 'it is not running')
          if ('method' in message && 'id' in message) asked.add(message.id)
          child.stdin.write(`${JSON.stringify(message)}\n`)
        },
      }),
    },
    get ended() {
      return ended
    },
    get stray() {
      return stray
    },
    hold(on) {
      for (const handle of [child, ...child.stdio] as ({ ref?(): void; unref?(): void } | null)[]) {
        if (on) handle?.ref?.()
        else handle?.unref?.()
      }
    },
    end,
  }
  return agent
}
