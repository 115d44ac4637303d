import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the clients of one sample asked for. */
export interface Asked {
  /** Of each request that offers tools, in order. */
  requests: { bytes: number; tokens: number; messages: string[]; gap_ms: number }[]
}

/**
 * A model that asks for `turns` commands, one at a time, and then says "done". It speaks Chat Completions, Responses and
 * Messages, whichever it is asked in, and answers at once: what is left is the client's own time.
 */
export async function modelServer() {
  let turns = 0
  let asked: Asked = { requests: [] }
  let replied = 0
  const server = createServer((request, response) => {
    const began = performance.now()
    void readBody(request).then((body) => {
      const protocol = protocols.find(({ path }) => request.url?.split('?')[0]?.endsWith(path))
      if (!protocol || request.method !== 'POST') {
        response.writeHead(protocol ? 405 : 404).end('{}')
        return
      }
      const parsed = JSON.parse(body) as Json
      const tool = findShell(parsed)
      const messages = protocol.messages(parsed)
      const done = messages.filter((message) => protocol.isResult.test(message)).length
      // Requests without tools, such as those for a title, are not part of the work.
      if (tool) {
        const tokens = Math.round(
          (protocol.system(parsed).length + JSON.stringify(parsed['tools']).length) / 4,
        )
        const gap_ms = replied === 0 ? 0 : began - replied
        asked.requests.push({ bytes: body.length, tokens, messages, gap_ms })
      }
      const next = tool && done < turns ? { tool, command: `cat f${done + 1}.txt` } : undefined
      const call = next ?? answerOrVote(parsed, messages)
      protocol.reply(response, call)
      replied = performance.now()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin(count: number) {
      turns = count
      replied = 0
      asked = { requests: [] }
      return asked
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Json = Record<string, unknown>
type Call = { tool: { name: string; input: (command: string) => object }; command: string } | undefined

interface Protocol {
  path: string
  isResult: RegExp
  messages(body: Json): string[]
  system(body: Json): string
  reply(response: ServerResponse, call: Call): void
}

const texts = (list: unknown): string[] => (list as object[]).map((message) => JSON.stringify(message))

const protocols: Protocol[] = [
  {
    path: '/chat/completions',
    isResult: /"role":"tool"/u,
    messages: ({ messages }) => texts(messages),
    system: ({ messages }) =>
      texts(messages)
        .filter((message) => /"role":"(system|developer)"/u.test(message))
        .join(''),
    reply(response, call) {
      const send = stream(response)
      const choose = (delta: object, finish_reason: string | null): void =>
        send({
          id: 'c',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'm',
          choices: [{ index: 0, delta, finish_reason }],
        })
      if (call) {
        const named = { name: call.tool.name, arguments: JSON.stringify(call.tool.input(call.command)) }
        choose(
          { role: 'assistant', tool_calls: [{ index: 0, id: newId(), type: 'function', function: named }] },
          null,
        )
      } else choose({ role: 'assistant', content: 'done' }, null)
      choose({}, call ? 'tool_calls' : 'stop')
      response.end('data: [DONE]\n\n')
    },
  },
  {
    path: '/responses',
    isResult: /"type":"(custom_tool|function)_call_output"/u,
    messages: ({ input }) => texts(input),
    system: ({ instructions, input }) =>
      [
        String(instructions ?? ''),
        ...texts(input).filter((item) => /"role":"(system|developer)"/u.test(item)),
      ].join(''),
    reply(response, call) {
      const send = stream(response)
      const item = call
        ? {
            type: 'function_call',
            id: newId(),
            call_id: newId(),
            name: call.tool.name,
            arguments: JSON.stringify(call.tool.input(call.command)),
          }
        : {
            type: 'message',
            id: newId(),
            role: 'assistant',
            content: [{ type: 'output_text', text: 'done', annotations: [] }],
          }
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
      send({ type: 'response.created', response: { id: 'r', status: 'in_progress' } }, 'response.created')
      send({ type: 'response.output_item.added', output_index: 0, item }, 'response.output_item.added')
      send({ type: 'response.output_item.done', output_index: 0, item }, 'response.output_item.done')
      send(
        { type: 'response.completed', response: { id: 'r', status: 'completed', output: [item], usage } },
        'response.completed',
      )
      response.end()
    },
  },
  {
    path: '/messages',
    isResult: /"type":"tool_result"/u,
    messages: ({ messages }) => texts(messages),
    system: ({ system }) => JSON.stringify(system ?? ''),
    reply(response, call) {
      const send = stream(response)
      const usage = { input_tokens: 1, output_tokens: 1 }
      const part = (type: string, more: object): void => send({ type, ...more }, type)
      const message = {
        id: newId(),
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage,
      }
      part('message_start', { message })
      const content_block = call
        ? { type: 'tool_use', id: newId(), name: call.tool.name, input: {} }
        : { type: 'text', text: '' }
      const delta = call
        ? { type: 'input_json_delta', partial_json: JSON.stringify(call.tool.input(call.command)) }
        : { type: 'text_delta', text: 'done' }
      part('content_block_start', { index: 0, content_block })
      part('content_block_delta', { index: 0, delta })
      part('content_block_stop', { index: 0 })
      part('message_delta', { delta: { stop_reason: call ? 'tool_use' : 'end_turn' }, usage })
      part('message_stop', {})
      response.end()
    },
  },
]

let ids = 0
const newId = (): string => `id_${(ids += 1)}`

function stream(response: ServerResponse): (data: object, event?: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return (data, event) => {
    response.write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`)
  }
}

/** In a team of ours an agent ends with an answer, and with a vote once there are answers to choose from. */
function answerOrVote({ tools }: Json, messages: readonly string[]): Call {
  const offered = JSON.stringify(tools ?? [])
  const answered = messages.some((message) => message.includes('"new_answer"'))
  if (offered.includes('"new_answer"') && !answered)
    return { tool: { name: 'new_answer', input: (answer) => ({ answer }) }, command: 'done' }
  return offered.includes('"vote"')
    ? { tool: { name: 'vote', input: () => ({ agent_id: 'a0', reason: 'first' }) }, command: '' }
    : undefined
}

/** The client's tool that runs commands, whatever it is called and however it wants the command. */
function findShell({ tools }: Json): NonNullable<Call>['tool'] | undefined {
  const offered = ((tools ?? []) as Json[]).map((tool) => (tool['function'] ?? tool) as Json)
  const tool = offered.find(({ name }) => shells.has(String(name).toLowerCase()))
  if (!tool) return undefined
  const schema = (tool['parameters'] ?? tool['input_schema'] ?? {}) as { properties?: Record<string, Json> }
  const { command, cmd } = schema.properties ?? {}
  if (cmd) return { name: String(tool['name']), input: (text) => ({ cmd: text }) }
  const many = command?.['type'] === 'array'
  const input = (text: string): object => ({
    command: many ? ['bash', '-lc', text] : text,
    description: 'look',
  })
  const plain = (text: string): object => ({ command: many ? ['bash', '-lc', text] : text })
  return { name: String(tool['name']), input: schema.properties?.['description'] ? input : plain }
}

const shells = new Set(['shell', 'bash', 'exec_command', 'local_shell', 'shell_command', 'run_shell_command'])

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
