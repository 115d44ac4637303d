import type { Containers } from '../../ports/container.ts'
import { type DockerSettings, dockerDefaults } from '../../schema/docker-settings.ts'
import type { Failure } from '../../schema/failure.ts'
import type { Keep } from '../shell/run-process.ts'
import type { Daemon } from './container-body.ts'
import { dockerContainers } from './docker-containers.ts'
import { DockerError, EngineApi } from './engine-api.ts'
import { findSocket } from './find-socket.ts'
import { sweep } from './labels.ts'

export interface OpenOptions {
  settings: DockerSettings
  ours?: readonly string[]
  keep?: Keep
  /** Where DOCKER_HOST and the like are looked up. */
  environment?: Record<string, string | undefined>
}

/**
 * Asks the daemon whether it is there and has the image, and removes what dead processes left on it. Without either
 * there are no containers: nothing ever runs on the host instead.
 */
export async function openContainers(
  options: OpenOptions,
): Promise<{ containers: Containers } | { failure: Failure }> {
  const { settings, ours = [], keep, environment } = options
  const socket = findSocket(environment)
  if ('missing' in socket) return refuse(socket.missing)
  const api = new EngineApi(socket.path)
  try {
    const daemon = await askDaemon(api)
    const image = await askImage(api, settings.image)
    if (!image) return refuse(missingImage(settings.image))
    await sweep(api)
    return { containers: dockerContainers({ api, daemon, settings, volumes: image.volumes, ours, keep }) }
  } catch (error) {
    if (error instanceof DockerError) return refuse(error.message)
    throw error
  }
}

export async function askDaemon(api: EngineApi): Promise<Daemon> {
  const info = (await api.call('GET', '/info')) as {
    ServerVersion?: string
    SecurityOptions?: string[] | null
    NCPU?: number
  }
  const has = (name: string): boolean =>
    info.SecurityOptions?.some((each) => each.includes(`name=${name}`)) === true
  return {
    version: info.ServerVersion ?? 'unknown',
    rootless: has('rootless'),
    remaps: has('userns') && !has('rootless'),
    selinux: has('selinux'),
    cpus: info.NCPU ?? 1,
  }
}

/** Nothing when the daemon has no such image. Images are never fetched here: that is for the person to do. */
export async function askImage(api: EngineApi, name: string): Promise<{ volumes: string[] } | undefined> {
  try {
    const found = (await api.call('GET', `/images/${encodeURIComponent(name)}/json`)) as {
      Config?: { Volumes?: Record<string, unknown> | null }
    }
    return { volumes: Object.keys(found.Config?.Volumes ?? {}) }
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

export const missingImage = (name: string): string =>
  name.replace(/:latest$/u, '') === dockerDefaults.image
    ? `the daemon has no image ${name}; make it with: conclave docker build`
    : `the daemon has no image ${name}; fetch it with: docker pull ${name}`

const refuse = (message: string): { failure: Failure } => ({
  failure: {
    kind: 'sandbox',
    message: `no Docker: ${message}`,
    hint: 'conclave doctor shows what works here',
  },
})
