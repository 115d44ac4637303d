import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContainerAgent, Containers } from '../../ports/container.ts'
import type { Shell } from '../../ports/shell.ts'
import type { DockerSettings } from '../../schema/docker-settings.ts'
import type { Failure } from '../../schema/failure.ts'
import type { Reach } from '../../schema/reach.ts'
import { privateFolder } from '../shell/private-folder.ts'
import type { Keep } from '../shell/run-process.ts'
import { AgentPlace, type Furnishing } from './agent-place.ts'
import { type Daemon, containerBody } from './container-body.ts'
import { containerUser } from './container-user.ts'
import { Container } from './container.ts'
import { DockerError, type EngineApi } from './engine-api.ts'
import { listLabelled, makeLabels, sweep } from './labels.ts'
import { overlap } from './plan-mounts.ts'

export interface DockerParts {
  api: EngineApi
  daemon: Daemon
  settings: DockerSettings
  /** Folders the image declares as volumes. */
  volumes: readonly string[]
  /** Our own folders, which a command may not see. */
  ours: readonly string[]
  keep?: Keep
}

/** Containers on a Docker or Podman daemon of this machine. */
export function dockerContainers(parts: DockerParts): Containers {
  const { api } = parts
  const places = new Map<string, AgentPlace>()
  const rules = { socket: api.socket, ours: [privateFolder(), ...parts.ours], emptyFile: makeEmptyFile() }

  const placeOf = (agent: ContainerAgent): AgentPlace => {
    let place = places.get(agent.key)
    if (!place) {
      place = new AgentPlace(agent, { api, rules, keep: parts.keep, start })
      places.set(agent.key, place)
    }
    return place
  }

  const start = async (place: AgentPlace, furnishing: Furnishing): Promise<Container> => {
    const { access, folder, mounts, writable } = furnishing
    const { key, run } = place.agent
    if (writable.length > 0) await claim(place, writable)
    const body = containerBody({
      ...parts,
      user: containerUser(folder, parts.daemon),
      mounts,
      network: access === 'write' ? parts.settings.network : 'none',
      labels: makeLabels({ key, run, writable }),
    })
    try {
      return await Container.start(api, body, async (id) => {
        if (writable.length > 0) await refuseSecondWriter(id, writable)
      })
    } catch (error) {
      if (access === 'write') place.claim = []
      throw error
    }
  }

  /** Agents of this process give up an idle container for one that needs its paths; from a busy one nothing is taken. */
  const claim = async (place: AgentPlace, writable: readonly string[]): Promise<void> => {
    for (;;) {
      const other = [...places.values()].find((each) => each !== place && overlaps(each.claim, writable))
      if (!other) break
      if (other.isWriting) throw new DockerError(0, twoWriters(writable, `agent ${other.agent.key}`))
      await other.dropWriting()
    }
    place.claim = writable
  }

  /**
   * Other processes see each other's containers only once these are created. So each looks after it has created its own,
   * and gives way to any other it sees: two may both give way, but never both go on.
   */
  const refuseSecondWriter = async (id: string, writable: readonly string[]): Promise<void> => {
    const others = async () =>
      (await listLabelled(api)).filter((each) => each.id !== id && overlaps(each.writable, writable))
    if ((await others()).length > 0) await sweep(api)
    const [other] = await others()
    if (other)
      throw new DockerError(0, twoWriters(writable, `process ${other.owner?.pid} (agent ${other.agent})`))
  }

  const shell = (agent: ContainerAgent): Shell => ({
    confines: true,
    scratch: privateFolder,
    run: (request) => placeOf(agent).run(request),
  })

  return {
    shell,
    shared: () => ({
      confines: true,
      scratch: privateFolder,
      run(request) {
        const reach: Reach = request.reach ?? { root: request.cwd, root_access: 'write', context: [] }
        return placeOf({ key: reach.root, reach }).run({ ...request, reach })
      },
    }),
    async recreate(key, reach) {
      try {
        const made = await placeOf({ key, reach }).recreate(reach)
        return 'problem' in made
          ? { ready: false, failure: failure(made.problem) }
          : { ready: true, container: made.id }
      } catch (error) {
        if (error instanceof DockerError) return { ready: false, failure: failure(error.message) }
        throw error
      }
    },
    remove: async (key) => {
      const place = places.get(key)
      places.delete(key)
      await place?.drop()
    },
    sweep: () => sweep(api).catch(() => 0),
    async close() {
      const all = [...places.values()]
      places.clear()
      await Promise.all(all.map((place) => place.drop()))
    },
  }
}

const overlaps = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((one) => b.some((other) => overlap(one, other)))

const twoWriters = (writable: readonly string[], whose: string): string =>
  `${writable.join(', ')} cannot be writable in two containers at once, and ${whose} has one; end that first`

const failure = (message: string): Failure => ({
  kind: 'sandbox',
  message: `the container cannot be made: ${message}`,
  hint: 'conclave doctor shows what works here',
})

function makeEmptyFile(): string {
  const folder = join(privateFolder(), 'docker')
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const path = join(folder, 'nothing')
  writeFileSync(path, '', { mode: 0o444 })
  return path
}
