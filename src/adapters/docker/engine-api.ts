import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** What the daemon refused or could not do. */
export class DockerError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'DockerError'
    this.status = status
  }
}

/** The versions of the API we know; the daemon's own is used where it lies between. */
const OLDEST: Version = [1, 40]
const NEWEST: Version = [1, 47]
const ANSWER_MS = 60_000

type Version = [major: number, minor: number]

/** The Engine API over a Unix socket, as Docker and Podman speak it. */
export class EngineApi {
  readonly socket: string
  #prefix: Promise<string> | undefined

  constructor(socket: string) {
    this.socket = socket
  }

  /** The JSON answer. Throws `DockerError` for every status from 400 on. */
  async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const response = await this.#send(method, await this.#versioned(path), json(body))
    return parse(await readBody(response))
  }

  /** A connection in both directions, as for the streams of a process. */
  async connect(path: string, body?: unknown): Promise<Duplex> {
    const { content, type } = json(body)
    const request = this.#request('POST', await this.#versioned(path), {
      connection: 'Upgrade',
      upgrade: 'tcp',
      'content-type': type,
      'content-length': `${content.length}`,
    })
    return new Promise((resolve, reject) => {
      request.once('error', (error) => reject(unreachable(this.socket, error)))
      request.once('upgrade', (_, stream, head) => {
        if (head.length > 0) stream.unshift(head)
        resolve(stream)
      })
      request.once('response', (response) => {
        void readBody(response).then((text) => reject(refusal(response, text)), reject)
      })
      request.end(content)
    })
  }

  /** Sends a file and gives out the lines of the answer, which may take long. */
  async upload(path: string, content: Buffer, onLine: (line: unknown) => void): Promise<void> {
    const response = await this.#send(
      'POST',
      await this.#versioned(path),
      { content, type: 'application/x-tar' },
      0,
    )
    let rest = ''
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') onLine(parse(line))
    }
    if (rest.trim() !== '') onLine(parse(rest))
  }

  async #versioned(path: string): Promise<string> {
    this.#prefix ??= this.#negotiate()
    try {
      return `${await this.#prefix}${path}`
    } catch (error) {
      this.#prefix = undefined
      throw error
    }
  }

  async #negotiate(): Promise<string> {
    const response = await this.#send('GET', '/_ping', json(undefined))
    response.resume()
    const theirs = `${response.headers['api-version'] ?? ''}`
    const [major = 0, minor = 0] = theirs.split('.').map(Number)
    if (compare([major, minor], OLDEST) < 0)
      throw new DockerError(
        0,
        `the daemon speaks version ${theirs} of the Docker API; ${OLDEST.join('.')} is needed`,
      )
    const chosen = compare([major, minor], NEWEST) > 0 ? NEWEST : [major, minor]
    return `/v${chosen.join('.')}`
  }

  async #send(
    method: string,
    path: string,
    { content, type }: Content,
    wait = ANSWER_MS,
  ): Promise<IncomingMessage> {
    const headers: Record<string, string> =
      content.length > 0 ? { 'content-type': type, 'content-length': `${content.length}` } : {}
    const request = this.#request(method, path, headers)
    if (wait > 0)
      request.setTimeout(wait, () => request.destroy(new Error(`no answer within ${wait / 1000} s`)))
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('error', (error) => reject(unreachable(this.socket, error)))
      request.once('response', resolve)
      request.end(content)
    })
    if ((response.statusCode ?? 0) < 400) return response
    throw refusal(response, await readBody(response))
  }

  #request(method: string, path: string, headers: Record<string, string>): ClientRequest {
    // Importing the module as a namespace would load all of fetch.
    const { request } = process.getBuiltinModule('node:http')
    return request({
      socketPath: this.socket,
      method,
      path,
      agent: false,
      headers: { host: 'docker', ...headers },
    })
  }
}

interface Content {
  content: Buffer
  type: string
}

const json = (body: unknown): Content => ({
  content: body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
  type: 'application/json',
})

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1]

function parse(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function refusal(response: IncomingMessage, text: string): DockerError {
  const { message } = (parse(text) ?? {}) as { message?: string }
  return new DockerError(
    response.statusCode ?? 0,
    message?.trim() || text.trim() || `status ${response.statusCode}`,
  )
}

function unreachable(socket: string, error: NodeJS.ErrnoException): DockerError {
  const why =
    error.code === 'EACCES'
      ? 'you have no permission to use it; are you in the group docker?'
      : error.code === 'ECONNREFUSED' || error.code === 'ENOENT'
        ? 'nobody answers there; is the daemon running?'
        : error.message
  return new DockerError(0, `the Docker daemon at ${socket} cannot be asked: ${why}`)
}
