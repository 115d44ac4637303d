import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export type FoundSocket = { path: string; because: string } | { missing: string }

/** The Unix socket of the Docker daemon or of Podman. Only sockets: a port on the network is not asked. */
export function findSocket(environment: Record<string, string | undefined> = process.env): FoundSocket {
  const host = environment['DOCKER_HOST']
  if (host) {
    const [, path] = /^unix:\/\/(\/.*)$/u.exec(host) ?? []
    if (path === undefined)
      return {
        missing: `DOCKER_HOST is ${host}; conclave speaks to Docker only over unix:///path of a socket`,
      }
    return isSocket(path)
      ? { path, because: 'DOCKER_HOST' }
      : { missing: `there is no socket at ${path}, where DOCKER_HOST says it is; is the daemon running?` }
  }
  const found = usualSockets(environment).find(isSocket)
  return found === undefined
    ? {
        missing:
          'no Docker daemon and no Podman service on their usual sockets; start one, or set DOCKER_HOST',
      }
    : { path: found, because: 'usual place' }
}

export function usualSockets(environment: Record<string, string | undefined> = process.env): string[] {
  const runtime = environment['XDG_RUNTIME_DIR']
  return [
    '/var/run/docker.sock',
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
    join(homedir(), '.docker/run/docker.sock'),
    ...(runtime ? [join(runtime, 'podman/podman.sock')] : []),
    '/run/podman/podman.sock',
  ]
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket()
  } catch {
    return false
  }
}
