/** What a config may say about containers. Everything else about them is fixed. */
export interface DockerSettings {
  image: string
  /** A network of the daemon's; `none`: no network. */
  network: string
  /** As Docker writes it: 512m, 4g. */
  memory: string
  cpus: number
  /** Processes and threads in one container. */
  pids: number
}

export const dockerDefaults: DockerSettings = {
  image: 'conclave-agent',
  network: 'none',
  memory: '4g',
  cpus: 2,
  pids: 512,
}

/** A name with a tag or a digest; nothing that could be read as a flag, a path or an address with a scheme. */
export const imageName = /^[a-z0-9][\w.\-/:]*(@sha256:[0-9a-f]{64})?$/iu
