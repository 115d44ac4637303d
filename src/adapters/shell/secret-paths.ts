import { readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

export interface SecretPath {
  /** With all links resolved. */
  path: string
  folder: boolean
}

/** What a command has no business reading, of what exists now: keys, tokens, histories, sockets, other people's homes. */
export function secretPaths(ours: readonly string[] = []): SecretPath[] {
  const candidates = [...secretPlaces(), ...ours, ...(process.getuid?.() === 0 ? otherHomes(ownHomes()) : [])]
  const found = new Map<string, SecretPath>()
  for (const candidate of candidates) {
    const known = resolve(candidate)
    if (known) found.set(known.path, known)
  }
  // One inside another is hidden with it.
  const all = [...found.values()]
  return all.filter(({ path }) => !all.some((other) => path.startsWith(`${other.path}/`)))
}

/** Where keys and the like are kept, whether they are there or not; other people's homes apart. */
export function secretPlaces(): string[] {
  return [
    ...ownHomes().flatMap((home) => [...IN_HOME.map((name) => join(home, name)), ...histories(home)]),
    ...inXdgFolders(),
    ...SYSTEM,
    ...list('/etc/ssh').flatMap((name) => (name.endsWith('_key') ? [join('/etc/ssh', name)] : [])),
    ...socketsInEnvironment(),
  ]
}

const IN_HOME = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.vault-token', '.netrc'],
  ...[
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    '.pgpass',
    '.my.cnf',
    '.s3cfg',
    '.boto',
    '.databrickscfg',
  ],
  ...['.git-credentials', '.config/git/credentials', '.config/gh', '.config/hub', '.config/glab-cli'],
  ...[
    '.config/gcloud',
    '.config/op',
    '.config/rclone',
    '.config/doctl',
    '.config/configstore',
    '.config/pip',
  ],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.composer/auth.json'],
  ...['.config/composer/auth.json', '.m2/settings.xml', '.gradle/gradle.properties', '.nuget/NuGet'],
  ...['.terraform.d', '.terraformrc', '.fly', '.heroku', '.netlify', '.config/netlify', '.config/vercel'],
  ...['.local/share/keyrings', '.local/share/kwalletd', '.mozilla', '.thunderbird', '.config/google-chrome'],
  ...['.config/chromium', '.config/BraveSoftware', '.config/Bitwarden', '.local/share/com.vercel.cli'],
  ...['.claude', '.claude.json', '.codex', '.gemini', '.config/openai', '.config/anthropic', '.viminfo'],
  ...['.local/share/fish/fish_history', '.local/share/fish', '.local/state/bash', '.local/state/zsh'],
  ...['.config/conclave', '.local/share/conclave', '.cache/conclave', '.colima', '.orbstack', '.rd', '.lima'],
]

/** `/run` is hidden as a whole. */
const SYSTEM = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
  ...[
    '/etc/docker',
    '/etc/kubernetes',
    '/etc/rancher',
    '/etc/ssl/private',
    '/etc/wireguard',
    '/etc/krb5.keytab',
  ],
  ...['/etc/NetworkManager/system-connections', '/var/lib/docker', '/var/lib/containerd', '/var/lib/kubelet'],
  ...['/var/lib/lxd', '/var/snap/lxd', '/var/snap/docker', '/var/spool', '/var/mail', '/var/lib/mysql'],
  ...['/var/lib/postgresql', '/var/lib/redis', '/mnt/wsl', '/docker.sock', '/secrets', '/vault/secrets'],
]

export function ownHomes(): string[] {
  const homes = new Set([homedir()])
  try {
    homes.add(userInfo().homedir)
  } catch {
    // A user without an entry in the system's list has only what HOME says.
  }
  return [...homes].filter((home) => home.startsWith('/') && home !== '/')
}

const histories = (home: string): string[] =>
  list(home).flatMap((name) => (/^\.\w*hi?st(ory)?$/u.test(name) ? [join(home, name)] : []))

/** The same things where the user has moved these folders out of the home. */
function inXdgFolders(): string[] {
  const moved = [
    ['.config/', process.env['XDG_CONFIG_HOME']],
    ['.local/share/', process.env['XDG_DATA_HOME']],
    ['.cache/', process.env['XDG_CACHE_HOME']],
  ] as const
  return moved.flatMap(([usual, folder]) =>
    folder
      ? IN_HOME.flatMap((name) => (name.startsWith(usual) ? [join(folder, name.slice(usual.length))] : []))
      : [],
  )
}

function otherHomes(own: readonly string[]): string[] {
  const homes = [...list('/home').map((name) => join('/home', name)), '/root']
  return homes.filter((home) => !own.includes(home))
}

function socketsInEnvironment(): string[] {
  const { SSH_AUTH_SOCK, DOCKER_HOST, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, GPG_AGENT_INFO } =
    process.env
  const values = [SSH_AUTH_SOCK, DOCKER_HOST, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, GPG_AGENT_INFO]
  return values.flatMap((value) => {
    const at = value?.indexOf('/') ?? -1
    // unix:///path, unix:path=/path,guid=…, /path:1234:1
    return value && at >= 0 ? [value.slice(at).replace(/^\/+/u, '/').split(/[,:;]/u, 1)[0] ?? ''] : []
  })
}

function resolve(candidate: string): SecretPath | undefined {
  try {
    // Most do not exist, and an exception for each would cost more than all the rest.
    const found = statSync(candidate, { throwIfNoEntry: false })
    return found && { path: realpathSync.native(candidate), folder: found.isDirectory() }
  } catch {
    return undefined
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
