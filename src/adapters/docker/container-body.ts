import type { DockerSettings } from '../../schema/docker-settings.ts'
import { childEnvironment } from '../shell/child-environment.ts'
import { FIRST_PROCESS } from './first-process.ts'
import type { Mount } from './plan-mounts.ts'

/** What the daemon says about itself that matters here. */
export interface Daemon {
  version: string
  /** Its root is the person who runs it. */
  rootless: boolean
  /** It gives users other numbers inside. */
  remaps: boolean
  selinux: boolean
  cpus: number
}

export interface ContainerOrder {
  settings: DockerSettings
  daemon: Daemon
  /** Folders the image wants to keep apart, which would outlive the container. */
  volumes: readonly string[]
  user: string
  mounts: readonly Mount[]
  network: string
  labels: Record<string, string>
}

const TEMPORARY = 'rw,exec,nosuid,nodev,size=536870912,mode=1777'
const LARGEST_HIDDEN = 4096

/** What the daemon is asked to create. Nothing in it can be asked for by a model, and only the settings by a config. */
export function containerBody(order: ContainerOrder): Record<string, unknown> {
  const { settings, daemon, user, mounts, network, labels } = order
  const memory = parseSize(settings.memory)
  const volumes = order.volumes.filter((path) => !mounts.some(({ target }) => target === path))
  return {
    Image: settings.image,
    Entrypoint: ['sh', '-c', FIRST_PROCESS],
    Cmd: [],
    User: user,
    WorkingDir: '/',
    Hostname: 'conclave',
    Env: environment(network),
    Labels: labels,
    Healthcheck: { Test: ['NONE'] },
    StopSignal: 'SIGKILL',
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    HostConfig: {
      AutoRemove: true,
      Privileged: false,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', ...(daemon.selinux ? ['label=disable'] : [])],
      NetworkMode: network,
      IpcMode: 'private',
      ...(daemon.remaps && { UsernsMode: 'host' }),
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(Math.min(settings.cpus, daemon.cpus) * 1e9),
      PidsLimit: settings.pids,
      Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
      LogConfig: { Type: 'none' },
      RestartPolicy: { Name: 'no' },
      Tmpfs: Object.fromEntries(['/tmp', ...volumes].map((path) => [path, TEMPORARY])),
      Mounts: mounts.map(describeMount),
    },
  }
}

/** `512m` in bytes. */
export function parseSize(text: string): number {
  const [, digits = '0', unit = ''] = /^(\d+)([kmg]?)b?$/iu.exec(text) ?? []
  return Number(digits) * 1024 ** ' kmg'.indexOf(unit.toLowerCase() || ' ')
}

function describeMount({ target, source, writable }: Mount): Record<string, unknown> {
  if (source === undefined)
    return { Type: 'tmpfs', Target: target, TmpfsOptions: { SizeBytes: LARGEST_HIDDEN, Mode: 0o755 } }
  return {
    Type: 'bind',
    Source: source,
    Target: target,
    ReadOnly: !writable,
    // Older daemons make only the mount itself read-only, and not what is mounted below it.
    BindOptions: { Propagation: 'rprivate', NonRecursive: !writable },
  }
}

/** The image knows its own PATH; of ours only language and time zone mean anything inside. */
function environment(network: string): string[] {
  const proxies = /^(https?|no|all)_proxy$/iu
  const passed = Object.entries(childEnvironment(process.env)).filter(
    ([name]) => /^(TERM|TZ|LANG|LANGUAGE|LC_\w+)$/u.test(name) || (network !== 'none' && proxies.test(name)),
  )
  const all = { ...Object.fromEntries(passed), HOME: '/tmp', TMPDIR: '/tmp', GOCACHE: '/tmp/go-build' }
  return Object.entries(all).map(([name, value]) => `${name}=${value}`)
}
