import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { demultiplex } from './demultiplex.ts'
import { DockerError, type EngineApi } from './engine-api.ts'
import { type Exec, startExec } from './start-exec.ts'

/** How long the first process may take to answer; one that does not is not trusted any more. */
const ANSWER_MS = 10_000
const REMOVE_MS = 10_000
const COMPLAINT_CHARACTERS = 2_000

/** Where and with what a command runs. */
export interface ExecPlace {
  cwd: string
  environment: Record<string, string>
}

/** A container that runs, and our line to its first process. */
export class Container {
  readonly id: string
  readonly #api: EngineApi
  readonly #line: Duplex
  readonly #answers = new Map<string, () => void>()
  readonly #marks = new Set<string>()
  #cleaning: Promise<void> | undefined
  #users = 0
  #open = true
  #complaint = ''
  #ready: { key: string; exec: Promise<Exec | undefined> } | undefined

  /** Creates and starts one; nothing is left of it when that fails. `check` may refuse it before it starts. */
  static async start(
    api: EngineApi,
    body: unknown,
    check: (id: string) => Promise<void>,
  ): Promise<Container> {
    const { Id: id } = (await api.call('POST', '/containers/create', body)) as { Id: string }
    try {
      await check(id)
      const line = await api.connect(`/containers/${id}/attach?stream=1&stdin=1&stdout=1&stderr=1`)
      const container = new Container(api, id, line)
      const ready = container.#answer('ready')
      await api.call('POST', `/containers/${id}/start`)
      if (!(await ready))
        throw new DockerError(
          0,
          `the container ended at once: ${container.#complaint.trim() || 'without a word'}`,
        )
      return container
    } catch (error) {
      await removeContainer(api, id)
      throw error
    }
  }

  private constructor(api: EngineApi, id: string, line: Duplex) {
    this.id = id
    this.#api = api
    this.#line = line
    let text = ''
    const read = demultiplex((stream, bytes) => {
      if (stream === 'stderr') {
        if (this.#complaint.length < COMPLAINT_CHARACTERS) this.#complaint += bytes.toString('utf8')
        return
      }
      const lines = (text + bytes.toString('latin1')).split('\n')
      text = (lines.pop() ?? '').slice(-COMPLAINT_CHARACTERS)
      for (const each of lines) this.#answers.get(each)?.()
    })
    const close = (): void => {
      this.#open = false
      for (const answered of this.#answers.values()) answered()
    }
    line.on('data', read).on('error', close).once('end', close).once('close', close)
    // Whether we go on is not for a waiting container to decide.
    const socket: Duplex & { unref?(): void } = line
    socket.unref?.()
  }

  get isAlive(): boolean {
    return this.#open
  }

  get isBusy(): boolean {
    return this.#users > 0
  }

  /** Somebody is about to run a command here; it is not removed for another's sake until they leave. */
  enter(): void {
    this.#users += 1
  }

  leave(): void {
    this.#users -= 1
  }

  /** Starts a command, or takes the process that waits for one, once no cleaning is under way that would end it. */
  async begin(command: string, place: ExecPlace): Promise<Exec> {
    while (this.#cleaning) await this.#cleaning
    const mark = randomUUID()
    this.#marks.add(mark)
    const ready = await this.#takeReady(JSON.stringify(place))
    if (ready) {
      this.#marks.add(ready.mark)
      this.#marks.delete(mark)
      ready.give(command)
      return ready
    }
    try {
      return await startExec(this.#api, this.id, { ...place, mark, command })
    } catch (error) {
      await this.finish(mark)
      throw error
    }
  }

  /** Starts the process for the next command ahead of it: starting one takes ten times as long as the rest. */
  prepare(place: ExecPlace): void {
    if (!this.#open || this.#marks.size > 0 || this.#cleaning || this.#ready) return
    const exec = startExec(this.#api, this.id, { ...place, mark: randomUUID() }).catch(() => undefined)
    this.#ready = { key: JSON.stringify(place), exec }
  }

  /** Asks the processes of a command to end. */
  async ask(mark: string): Promise<void> {
    await this.#tell('term', [mark])
  }

  /** Kills what is left of a command; without other commands that is everything but the first process. */
  async finish(mark: string): Promise<void> {
    this.#marks.delete(mark)
    while (this.#cleaning) await this.#cleaning
    this.#cleaning = this.#clean()
    await this.#cleaning
  }

  async remove(): Promise<void> {
    this.#open = false
    await removeContainer(this.#api, this.id)
    this.#line.destroy()
  }

  async #takeReady(key: string): Promise<Exec | undefined> {
    const ready = this.#ready
    this.#ready = undefined
    const exec = await ready?.exec
    if (exec && ready?.key === key && exec.isWaiting) return exec
    exec?.stream.destroy()
    return undefined
  }

  async #clean(): Promise<void> {
    if (!(await this.#tell('kill', [...this.#marks]))) await this.remove()
    this.#cleaning = undefined
  }

  async #tell(verb: 'term' | 'kill', marks: string[]): Promise<boolean> {
    if (!this.#open) return false
    const id = randomUUID()
    const answer = this.#answer(id)
    this.#line.write(`\n${[id, verb, ...marks].join(' ')}\n`)
    return answer
  }

  /** Whether it comes in time. */
  async #answer(line: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#answers.set(line, () => resolve(this.#open))
    const timer = setTimeout(() => resolve(false), ANSWER_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#answers.delete(line)
    }
  }
}

/** Returns when it is gone, also when somebody else is removing it already. Never throws: the next start sweeps. */
export async function removeContainer(api: EngineApi, id: string): Promise<void> {
  const end = performance.now() + REMOVE_MS
  while (performance.now() < end) {
    try {
      await api.call('DELETE', `/containers/${id}?force=1&v=1`)
      return
    } catch (error) {
      if (!(error instanceof DockerError) || error.status === 404 || error.status === 0) return
      await sleep(20)
    }
  }
}
