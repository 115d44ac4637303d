import type { ModelHost, ModelMessage, ModelPart, ModelRequest } from '../../ports/model.ts'
import type { ChatMode } from '../../schema/chat-config.ts'
import type { Failure } from '../../schema/failure.ts'
import type { AgentConnection } from './connect-agent.ts'
import { describeProblem } from './failure.ts'
import type { AcpLimits, AcpOptions } from './options.ts'
import { findSession, promptBlocks, sessionMetadata } from './prompt-blocks.ts'
import { PromptTurn } from './prompt-turn.ts'
import { type Json, asText } from './read-json.ts'
import { chooseMode } from './session-mode.ts'

/** A session of an agent in a process of its own, kept from turn to turn. */
export class Conversation {
  busy = false
  readonly #connection: AgentConnection
  readonly #session: string
  readonly #folder: string
  readonly #mode: ChatMode
  readonly #limits: AcpLimits
  #seen: number
  #newest: ModelMessage | undefined
  #live = false
  #told: string | undefined
  #cost = 0
  #idle: NodeJS.Timeout | undefined

  constructor(
    connection: AgentConnection,
    session: { session_id: string; seen: number },
    { folder, chat_mode }: Pick<ModelHost, 'folder' | 'chat_mode'>,
    limits: AcpLimits,
  ) {
    this.#connection = connection
    this.#session = session.session_id
    this.#seen = session.seen
    this.#folder = folder
    this.#mode = chat_mode
    this.#limits = limits
  }

  /** Whether this turn can go on here: a confined process stays confined, and a dead one dead. */
  fits({ folder, chat_mode }: ModelHost): boolean {
    return this.#folder === folder && this.#mode === chat_mode && this.#connection.process.ended === undefined
  }

  end(reason: string): Promise<void> {
    clearTimeout(this.#idle)
    return this.#connection.process.end(reason)
  }

  async *prompt(
    request: ModelRequest,
    signal: AbortSignal,
    host: ModelHost,
    analyze: AcpOptions['analyze'],
  ): AsyncGenerator<ModelPart> {
    const connection = this.#connection
    const turn = new PromptTurn({ connection, host, limits: this.#limits, analyze, cost: this.#cost })
    this.busy = true
    clearTimeout(this.#idle)
    connection.listener = turn
    connection.process.hold(true)
    const answered = this.#send(request, turn)
    const cancel = (): void => {
      connection.notify('session/cancel', { sessionId: this.#session })
      turn.stop()
    }
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    try {
      let failed = false
      for await (const part of turn.parts) {
        failed ||= part.type === 'failed'
        yield part
      }
      if (!failed && !signal.aborted)
        yield { type: 'metadata', data: sessionMetadata(connection.label, this.#session) }
    } finally {
      signal.removeEventListener('abort', cancel)
      turn.stop()
      this.#cost = turn.cost
      if (!(await within(answered, this.#limits.cancel_ms)))
        await connection.process.end('it did not stop when it was told to')
      connection.listener = undefined
      connection.process.hold(false)
      this.busy = false
      this.#idle = setTimeout(() => void this.end('nobody talked to it'), this.#limits.idle_ms).unref()
    }
  }

  /** A conversation that had to be made to fit begins differently: then its own last reply is the mark. */
  #stillSeen(messages: readonly ModelMessage[]): number {
    const last = messages[this.#seen - 1]
    const same = this.#newest === undefined || JSON.stringify(last) === JSON.stringify(this.#newest)
    return same ? this.#seen : (findSession(messages, this.#connection.label)?.seen ?? 0)
  }

  /** Resolves when the agent has nothing more to say to this prompt. */
  async #send(request: ModelRequest, turn: PromptTurn): Promise<void> {
    const { messages, system } = request
    const prompt = promptBlocks(request, {
      session_id: this.#session,
      seen: this.#stillSeen(messages),
      live: this.#live,
      told: this.#told,
      images: this.#connection.images,
    })
    this.#seen = messages.length
    this.#newest = messages.at(-1)
    this.#live = true
    this.#told = system
    try {
      const response = await this.#connection.request('session/prompt', { sessionId: this.#session, prompt })
      await turn.finish(response)
    } catch (error) {
      await turn.failBecause(error)
    }
  }
}

/** Opens the session the agent had in this conversation, or a new one. */
export async function openConversation(
  connection: AgentConnection,
  messages: readonly ModelMessage[],
  host: ModelHost,
  limits: AcpLimits,
): Promise<Conversation | { failure: Failure }> {
  const { folder, chat_mode } = host
  const where = { cwd: folder, mcpServers: [] }
  const earlier = findSession(messages, connection.label)
  const reopened = earlier && (await reopen(connection, earlier.session_id, where))
  try {
    const opened = reopened ?? (await connection.request('session/new', where))
    const session_id = reopened ? earlier?.session_id : asText(opened['sessionId'])
    if (session_id === undefined) throw new Error('it opened a session without an id')
    await chooseMode(connection, session_id, opened, chat_mode)
    return new Conversation(
      connection,
      { session_id, seen: reopened ? (earlier?.seen ?? 0) : 0 },
      host,
      limits,
    )
  } catch (error) {
    return { failure: describeProblem(error, connection, 'when a session was opened') }
  }
}

/** Nothing when the agent cannot, or no longer knows the session. What it replays of it is not listened to. */
async function reopen(
  connection: AgentConnection,
  sessionId: string,
  where: Json,
): Promise<Json | undefined> {
  const method = connection.resumes ? 'session/resume' : connection.loads ? 'session/load' : undefined
  if (!method) return undefined
  return connection.request(method, { sessionId, ...where }).catch(() => undefined)
}

const within = (work: Promise<unknown>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)))
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}
