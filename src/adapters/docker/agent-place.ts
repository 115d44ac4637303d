import type { ContainerAgent } from '../../ports/container.ts'
import type { ShellRequest, ShellResult } from '../../ports/shell.ts'
import type { Reach } from '../../schema/reach.ts'
import { protectFolder } from '../shell/protect-folder.ts'
import {
  type Ground,
  isWithin,
  layReach,
  mayWrite,
  setAside,
  writableFolders,
} from '../shell/reach-layers.ts'
import { type Keep, notStarted } from '../shell/run-process.ts'
import type { Container } from './container.ts'
import { DockerError, type EngineApi } from './engine-api.ts'
import { type Mount, type MountRules, fingerprint, planMounts } from './plan-mounts.ts'
import { runInContainer } from './run-in-container.ts'

export type Access = ShellRequest['access']

/** What a container is to be made with. */
export interface Furnishing {
  access: Access
  /** Whose files they are is told by this folder. */
  folder: string
  mounts: Mount[]
  writable: string[]
}

export interface PlaceParts {
  api: EngineApi
  rules: MountRules
  keep?: Keep
  /** Makes a container, once no other agent can write what this one may. */
  start(place: AgentPlace, furnishing: Furnishing): Promise<Container>
}

interface Kept {
  container: Container
  fingerprint: string
}

/** Where one agent's commands run: a container for those that may write, another for those that only look. */
export class AgentPlace {
  readonly agent: ContainerAgent
  /** What its container can write, from before it is made until it is gone. */
  claim: readonly string[] = []
  readonly #parts: PlaceParts
  readonly #kept: Partial<Record<Access, Kept>> = {}
  readonly #turns: Record<Access, Promise<unknown>> = { read: Promise.resolve(), write: Promise.resolve() }
  #reach: Reach
  #waiting = 0

  constructor(agent: ContainerAgent, parts: PlaceParts) {
    this.agent = agent
    this.#reach = agent.reach
    this.#parts = parts
  }

  /** A command runs or is about to in the container that may write. */
  get isWriting(): boolean {
    return this.#waiting > 0 || this.#kept.write?.container.isBusy === true
  }

  async run(request: ShellRequest): Promise<ShellResult> {
    const reach = request.reach ?? this.#reach
    const ground = layReach(reach, request.access)
    if ('problem' in ground) return notStarted(ground.problem)
    if (!ground.layers.some(({ path }) => isWithin(request.cwd, path)))
      return notStarted(`the folder ${JSON.stringify(request.cwd)} is not there in the container`)
    const protections = protect(ground)
    try {
      const ready = await this.#ready(request.access, ground, reach, protections)
      if ('problem' in ready) return notStarted(ready.problem)
      const { environment } = this.agent
      const result = await runInContainer(this.#parts.api, ready.container, request, {
        environment,
        keep: this.#parts.keep,
      }).finally(() => ready.container.leave())
      const reports = [...protections.flatMap(({ finish }) => finish()), ...setAside(ground.absent)]
      protections.length = 0
      return reports.length === 0 ? result : { ...result, output: withReports(result.output, reports) }
    } catch (error) {
      if (error instanceof DockerError) return notStarted(error.message)
      throw error
    } finally {
      for (const { finish } of protections) finish()
    }
  }

  /** From now on the agent has this reach, in a new container that is ready when this returns. */
  async recreate(reach: Reach): Promise<Container | { problem: string }> {
    await this.drop()
    this.#reach = reach
    const ground = layReach(reach, 'write')
    if ('problem' in ground) return ground
    const protections = protect(ground)
    try {
      const ready = await this.#ready('write', ground, reach, protections)
      if ('problem' in ready) return ready
      ready.container.leave()
      ready.container.prepare({ cwd: reach.root, environment: this.agent.environment ?? {} })
      return ready.container
    } finally {
      for (const { finish } of protections) finish()
    }
  }

  /** Removes its containers, with what runs in them. */
  async drop(): Promise<void> {
    await Promise.all([this.dropWriting(), this.#inTurn('read', () => this.#remove('read'))])
  }

  async dropWriting(): Promise<void> {
    await this.#inTurn('write', () => this.#remove('write'))
    this.claim = []
  }

  /** The container for such commands, entered, as it has to be now; made anew where it is not so. */
  async #ready(
    access: Access,
    { layers }: Ground,
    { root }: Reach,
    protections: readonly { mounts: string[] }[],
  ): Promise<{ container: Container } | { problem: string }> {
    const plan = planMounts(
      layers,
      protections.flatMap(({ mounts }) => mounts),
      this.#parts.rules,
    )
    if ('problem' in plan) return plan
    const wanted = fingerprint(plan.mounts)
    if (access === 'write') this.#waiting += 1
    try {
      return await this.#inTurn(access, async () => {
        const kept = this.#kept[access]
        if (!kept?.container.isAlive || kept.fingerprint !== wanted) {
          if (kept?.container.isAlive && kept.container.isBusy) return { problem: STILL_RUNNING }
          await this.#remove(access)
          const writable = layers.filter((layer) => layer.access === 'write').map(({ path }) => path)
          const furnishing = { access, folder: root, mounts: plan.mounts, writable }
          this.#kept[access] = { container: await this.#parts.start(this, furnishing), fingerprint: wanted }
        }
        const { container } = this.#kept[access] ?? {}
        if (!container) throw new Error('the container is missing')
        container.enter()
        return { container }
      })
    } finally {
      if (access === 'write') this.#waiting -= 1
    }
  }

  async #remove(access: Access): Promise<void> {
    const kept = this.#kept[access]
    delete this.#kept[access]
    await kept?.container.remove()
  }

  /** One after the other, whatever became of the one before. */
  #inTurn<T>(access: Access, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns[access].then(work, work)
    this.#turns[access] = turn.catch(() => undefined)
    return turn
  }
}

const STILL_RUNNING =
  'what may be written, or a protected file, has changed, so the container must be made anew, and other commands still run in it; end those first'

const protect = ({ layers }: Ground) =>
  writableFolders(layers).map((path) => protectFolder(path, undefined, (entry) => mayWrite(layers, entry)))

function withReports(output: string, reports: string[]): string {
  const gap = output === '' || output.endsWith('\n') ? '' : '\n'
  return `${output}${gap}${reports.map((report) => `[conclave: ${report}]\n`).join('')}`
}
