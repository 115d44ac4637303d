import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { cappedOutput } from '../shell/capped-output.ts'
import { type MessageLines, messageLines } from './message-lines.ts'
import { type ServerProcess, type Tether, startServer } from './server-process.ts'
import type { ServerSpec } from './server-spec.ts'

export const LONGEST_MESSAGE = 10_000_000
/** What a server may send without being asked anything new. */
const MOST_UNASKED = 32_000_000

/**
 * Speaks with a server over its stdin and stdout. The SDK's own transport would leave the server's children behind and
 * let it outlive us. Lines that are no messages are passed over: many servers print a greeting.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** Why the server is gone, once it is. */
  ended: string | undefined
  readonly #spec: Extract<ServerSpec, { kind: 'stdio' }>
  readonly #tether: Tether
  readonly #lines: MessageLines = messageLines()
  readonly #complaints = cappedOutput({ head: 400, tail: 400 })
  #server: ServerProcess | undefined
  #closing: Promise<void> | undefined
  #unasked = 0
  #stray: string | undefined

  constructor(spec: Extract<ServerSpec, { kind: 'stdio' }>, tether: Tether) {
    this.#spec = spec
    this.#tether = tether
  }

  async start(): Promise<void> {
    const server = startServer(this.#spec, this.#tether)
    this.#server = server
    const { child } = server
    child.stderr?.on('data', (chunk: Buffer) => this.#complaints.add(chunk))
    child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk))
    child.once('exit', (code, signal) => {
      // Its last words may still be on the way.
      const gone = () => void this.#end(this.#describeExit(code, signal))
      const timer = setTimeout(gone, 200)
      child.once('close', () => (clearTimeout(timer), gone()))
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve).once('error', (error) => {
        this.ended ??= `${this.#spec.command} could not be started: ${error.message}`
        reject(new Error(this.ended))
      })
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#server?.child.stdin
    if (!stdin?.writable) throw new Error(this.ended ?? 'it is not running')
    if ('method' in message && 'id' in message) this.#unasked = 0
    stdin.write(`${JSON.stringify(message)}\n`)
  }

  close(): Promise<void> {
    return this.#end('it was closed')
  }

  #take(chunk: Buffer): void {
    if (this.ended !== undefined) return
    this.#unasked += chunk.length
    const lines = this.#lines.add(chunk)
    if (this.#lines.waiting > LONGEST_MESSAGE || lines.some((line) => line.length > LONGEST_MESSAGE)) {
      return void this.#end(`it sent a message of more than ${LONGEST_MESSAGE} bytes, so it was ended`)
    }
    for (const line of lines) this.#takeLine(line)
    if (this.#unasked > MOST_UNASKED) {
      void this.#end(`it sent more than ${MOST_UNASKED} bytes nobody asked for, so it was ended`)
    }
  }

  #takeLine(line: string): void {
    let message: JSONRPCMessage
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line))
    } catch {
      this.#stray ??= line.slice(0, 200)
      return
    }
    this.onmessage?.(message)
  }

  /** What it printed that was no message, for an error report. */
  get stray(): string | undefined {
    return this.#stray
  }

  #end(reason: string): Promise<void> {
    this.ended ??= reason
    this.#closing ??= (this.#server?.end() ?? Promise.resolve()).finally(() => this.onclose?.())
    return this.#closing
  }

  #describeExit(code: number | null, signal: NodeJS.Signals | null): string {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
    const said = this.#complaints.text().trim()
    return `it ${how}${said ? `; it said: ${said}` : ''}`
  }
}
