import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CallToolResultSchema,
  ErrorCode,
  ListToolsResultSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { Progress } from '@modelcontextprotocol/sdk/types.js'
import type { McpServer, McpToolDefinition } from '../../ports/mcp.ts'
import { resultText } from './result-text.ts'
import type { Tether } from './server-process.ts'
import type { ServerSpec } from './server-spec.ts'
import { LONGEST_MESSAGE, StdioTransport } from './stdio-transport.ts'

export interface ConnectedServer extends McpServer {
  /** What is wrong with it though it works. */
  problems: string[]
  close(): Promise<void>
}

const MOST_TOOLS = 200
const MOST_PAGES = 20
/** Of one tool's description and schema: all of it is in every request. */
const LONGEST_DEFINITION = 32_000
/** A server that keeps reporting progress may take this many times its timeout. */
const PROGRESS_STRETCH = 10
const FAREWELL_MS = 1_000

/** Connects and lists the tools. Throws with a sentence for people when that fails, and leaves nothing behind. */
export async function connectServer(
  spec: ServerSpec,
  { version, tether }: { version: string; tether: Tether },
): Promise<ConnectedServer> {
  // No capability is offered: the server cannot ask us for files, model calls or questions to the person.
  const client = new Client({ name: 'conclave', version }, { capabilities: {} })
  const line = await open(spec, tether)
  const deadline = AbortSignal.timeout(spec.connect_timeout_ms)
  try {
    await within(deadline, client.connect(line.transport, { signal: deadline }))
    const { tools, problems } = await listTools(client, spec, deadline)
    return {
      name: spec.name,
      tools,
      problems,
      close: () => line.close(),
      call: (tool, input, options) => call(client, { spec, line, tool, input, ...options }),
    }
  } catch (error) {
    const why =
      (deadline.aborted ? undefined : line.ended()) ?? explain(error, deadline, spec.connect_timeout_ms)
    const stray = line.stray()
    await line.close()
    throw new Error(stray === undefined ? why : `${why}; it printed: ${stray}`, { cause: error })
  }
}

interface Line {
  transport: Parameters<Client['connect']>[0]
  ended(): string | undefined
  stray(): string | undefined
  close(): Promise<void>
}

async function open(spec: ServerSpec, tether: Tether): Promise<Line> {
  if (spec.kind === 'stdio') {
    const transport = new StdioTransport(spec, tether)
    return {
      transport,
      ended: () => transport.ended,
      stray: () => transport.stray,
      close: () => transport.close(),
    }
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  const { cappedFetch } = await import('./capped-fetch.ts')
  let ended: string | undefined
  const transport = new StreamableHTTPClientTransport(new URL(spec.url), {
    requestInit: { headers: spec.headers },
    fetch: cappedFetch(LONGEST_MESSAGE, () => {
      ended = `it sent a message of more than ${LONGEST_MESSAGE} bytes, so the connection was closed`
      void transport.close()
    }),
  })
  return {
    transport: transport as Line['transport'],
    ended: () => ended,
    stray: () => undefined,
    async close() {
      const goodbye = transport.sessionId === undefined ? undefined : transport.terminateSession()
      await within(AbortSignal.timeout(FAREWELL_MS), goodbye).catch(() => undefined)
      await transport.close()
    },
  }
}

async function listTools(
  client: Client,
  spec: ServerSpec,
  signal: AbortSignal,
): Promise<{ tools: McpToolDefinition[]; problems: string[] }> {
  const tools: McpToolDefinition[] = []
  const problems: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const listed = await within(
      signal,
      client.request({ method: 'tools/list', params }, ListToolsResultSchema, { signal }),
    )
    for (const { name, description = '', inputSchema: schema } of listed.tools) {
      const size = description.length + JSON.stringify(schema).length
      if (size > LONGEST_DEFINITION) {
        problems.push(`its tool ${name} is left out: its definition has ${size} characters`)
      } else if (tools.some((tool) => tool.name === name)) {
        problems.push(`it has two tools called ${name}; the second is left out`)
      } else tools.push({ name, description, schema, read_only: spec.read_only_tools.includes(name) })
    }
    cursor = listed.nextCursor
    if (cursor === undefined || tools.length >= MOST_TOOLS) break
  }
  if (tools.length > MOST_TOOLS || cursor !== undefined) {
    problems.push(`it has more than ${MOST_TOOLS} tools; the rest is left out`)
    tools.length = Math.min(tools.length, MOST_TOOLS)
  }
  const missing = spec.read_only_tools.filter((name) => !tools.some((tool) => tool.name === name))
  if (missing.length > 0) problems.push(`read_only_tools names ${missing.join(', ')}, which it does not have`)
  return { tools, problems }
}

interface Call {
  spec: ServerSpec
  line: Line
  tool: string
  input: Record<string, unknown>
  signal: AbortSignal
  onProgress: (text: string) => void
}

async function call(
  client: Client,
  { spec, line, tool, input, signal, onProgress }: Call,
): Promise<{ success: boolean; output: string }> {
  const fail = (why: string) => ({ success: false, output: `The MCP server ${spec.name}: ${why}` })
  const gone = line.ended()
  if (gone !== undefined) return fail(`${gone}. Its tools work again after a restart of conclave.`)
  if (signal.aborted) return fail('the call was cancelled before it began.')
  // The SDK listens to its signal for ever, and would cancel a call that is long done.
  const cancel = new AbortController()
  const abort = () => cancel.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const result = await client.request(
      { method: 'tools/call', params: { name: tool, arguments: input } },
      CallToolResultSchema,
      {
        signal: cancel.signal,
        timeout: spec.call_timeout_ms,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: spec.call_timeout_ms * PROGRESS_STRETCH,
        onprogress: (progress) => onProgress(describeProgress(progress)),
      },
    )
    return { success: result.isError !== true, output: resultText(result) }
  } catch (error) {
    if (signal.aborted) return fail('the call was cancelled; it may have had effects.')
    const why = line.ended() ?? explain(error, signal, spec.call_timeout_ms)
    return fail(`${why}. The call may have had effects.`)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function describeProgress({ progress, total, message }: Progress): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`
  return `${message === undefined ? count : `${count} ${message}`.slice(0, 500)}\n`
}

function explain(error: unknown, deadline: AbortSignal, timeout_ms: number): string {
  const timedOut = error instanceof McpError && error.code === Number(ErrorCode.RequestTimeout)
  if (deadline.aborted || timedOut) return `it did not answer within ${timeout_ms} ms`
  if (!(error instanceof Error)) return String(error)
  if ('issues' in error) return 'it answered with something that is not in the protocol'
  const code = 'code' in error && typeof error.code === 'number' ? error.code : 0
  if (code === 401 || code === 403) {
    return `it refused us (HTTP ${code}); it may need an authorization header in its config`
  }
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  const message = error.message.replace(/^MCP error -?\d+: /, '')
  return `${code >= 400 ? `HTTP ${code}: ` : ''}${message}${cause}`.slice(0, 500)
}

/** Ends with the work or with the signal. */
async function within<T>(signal: AbortSignal, work: Promise<T> | undefined): Promise<T> {
  const cut = Promise.withResolvers<never>()
  const abort = () => cut.reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return (await Promise.race([work, cut.promise])) as T
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
