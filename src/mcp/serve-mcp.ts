import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { neutralize } from '../view/neutralize.ts'
import { type Launched, launch } from './launch.ts'
import type { Caller, McpHost } from './mcp-host.ts'

/** A person may take their time; the client may cancel the call at any time. */
const LONGEST_ANSWER_MS = 24 * 60 * 60 * 1000

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Offers `launch_run` to whatever is at the other end. Resolves when that has gone and all runs have ended. */
export async function serveMcp(host: McpHost, transport: Transport): Promise<void> {
  const server = new Server(
    { name: 'conclave', version: host.version },
    { capabilities: { tools: {} }, instructions: host.instructions },
  )
  const gone = new AbortController()
  const running = new Set<Promise<unknown>>()
  const { name, description, parameters } = host.tool
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      {
        name,
        description,
        inputSchema: { ...parameters, type: 'object' as const },
        annotations: {
          title: 'Launch a run',
          readOnlyHint: false,
          destructiveHint: true,
          openWorldHint: true,
        },
      },
    ],
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (params.name !== name)
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}; known: ${name}`)
    const caller = callerOf(server, extra, gone.signal)
    const launched = launch(host, params.arguments ?? {}, caller)
    running.add(launched)
    try {
      return toResult(await launched)
    } finally {
      running.delete(launched)
    }
  })
  const closed = Promise.withResolvers<void>()
  Object.assign(server, { onclose: () => closed.resolve() })
  await server.connect(transport)
  await closed.promise
  gone.abort()
  await Promise.allSettled(running)
}

function callerOf(server: Server, extra: Extra, gone: AbortSignal): Caller {
  const signal = AbortSignal.any([extra.signal, gone])
  const token = extra._meta?.progressToken
  let progress = 0
  return {
    signal,
    progress: (message) => {
      if (token === undefined || signal.aborted) return
      progress += 1
      const params = { progressToken: token, progress, message }
      // A client that does not listen any more is no reason to stop.
      extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined)
    },
    ...(server.getClientCapabilities()?.elicitation?.form && { choose: chooser(server, extra, signal) }),
  }
}

/** Asks the person at the client. Declining, closing and failing are all a no. */
const chooser =
  (server: Server, extra: Extra, signal: AbortSignal): NonNullable<Caller['choose']> =>
  async (question, choices) => {
    const answer =
      choices.length > 0
        ? {
            type: 'string' as const,
            title: 'Your answer',
            oneOf: choices.map(({ value, label }) => ({ const: value, title: neutralize(label) })),
          }
        : { type: 'string' as const, title: 'Your answer' }
    const asked = server.elicitInput(
      {
        mode: 'form',
        message: neutralize(question),
        requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] },
      },
      { signal, timeout: LONGEST_ANSWER_MS, relatedRequestId: extra.requestId },
    )
    const { action, content } = await asked.catch(() => ({ action: 'cancel' as const, content: undefined }))
    return action === 'accept' && content ? String(content['answer']) : undefined
  }

function toResult(launched: Launched): CallToolResult {
  if ('refused' in launched) return { content: [{ type: 'text', text: launched.refused }], isError: true }
  const { result, plan } = launched
  const structuredContent = { ...result, ...(plan && { plan_run_id: plan.run_id }) }
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 1) }],
    structuredContent,
    isError: result.status !== 'complete',
  }
}
