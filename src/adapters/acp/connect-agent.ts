import type { Failure } from '../../schema/failure.ts'
import type { AgentProcess } from './agent-process.ts'
import { describeProblem } from './failure.ts'
import { type Json, asList, asObject, asText } from './read-json.ts'

/** What an agent says and asks while it works on a prompt. */
export interface Listener {
  update(update: Json): void
  /** The id of the chosen option; nothing when the prompt is being cancelled. */
  choose(request: Json): Promise<string | undefined>
}

export interface AgentConnection {
  process: AgentProcess
  label: string
  loads: boolean
  resumes: boolean
  images: boolean
  /** How a person can log in, as the agent puts it. */
  logins: string[]
  /** Gets everything from now on; what comes without a listener is dropped. */
  listener: Listener | undefined
  /** Rejects with the agent's error, or when it is gone. */
  request(method: string, params: Json): Promise<Json>
  notify(method: string, params: Json): void
}

/** Agrees with an agent on the protocol. */
export async function connectAgent(
  process: AgentProcess,
  label: string,
): Promise<AgentConnection | { failure: Failure }> {
  const { PROTOCOL_VERSION, client, methods } = await import('@agentclientprotocol/sdk')
  const connection: AgentConnection = {
    process,
    label,
    loads: false,
    resumes: false,
    images: false,
    logins: [],
    listener: undefined,
    request: async (method, params) => asObject(await open.agent.request<unknown>(method, params)),
    notify: (method, params) => void open.agent.notify(method, params).catch(() => {}),
  }
  const open = client({ name: 'conclave' })
    .onRequest(methods.client.session.requestPermission, asObject, async ({ params }) => {
      const optionId = await connection.listener?.choose(params)
      return {
        outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
      }
    })
    .connect(process.stream)

  process.onNotification = (method, params) => {
    if (method === methods.client.session.update) connection.listener?.update(asObject(params['update']))
  }
  try {
    const agreed = await connection.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'conclave', title: 'Conclave', version: '1' },
    })
    if (agreed['protocolVersion'] !== PROTOCOL_VERSION)
      return { failure: otherVersion(label, agreed['protocolVersion'], PROTOCOL_VERSION) }
    const able = asObject(agreed['agentCapabilities'])
    connection.loads = able['loadSession'] === true
    connection.resumes = isOffered(asObject(able['sessionCapabilities'])['resume'])
    connection.images = asObject(able['promptCapabilities'])['image'] === true
    connection.logins = asList(agreed['authMethods']).flatMap(({ name, description }) => {
      const said = [asText(name), asText(description)].filter(Boolean).join(': ')
      return said ? [said.slice(0, 200)] : []
    })
    return connection
  } catch (error) {
    return { failure: describeProblem(error, connection, 'when it was started') }
  }
}

/** A capability without settings of its own is an empty object. */
const isOffered = (capability: unknown): boolean => typeof capability === 'object' && capability !== null

const otherVersion = (label: string, theirs: unknown, ours: number): Failure => ({
  kind: 'model',
  message: `${label} speaks version ${String(theirs)} of the Agent Client Protocol, and conclave version ${ours}`,
  hint: 'install a version of the agent that speaks it too',
})
