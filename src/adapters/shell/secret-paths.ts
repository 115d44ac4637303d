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
  const homes = ownHomes()
  const candidates = [
    ...homes.flatMap((home) => [
      ...IN_HOME.map((name) => join(home, name)),
      ...list(home)
        .filter((name) => name.endsWith('history') || name.endsWith('hst'))
        .map((name) => join(home, name)),
    ]),
    ...ours,
    ...SYSTEM,
    ...list('/etc/ssh')
      .filter((name) => name.endsWith('_key'))
      .map((name) => join('/etc/ssh', name)),
    ...socketsInEnvironment(),
    ...(process.getuid?.() === 0 ? otherHomes(homes) : []),
  ]
  const found = new Map<string, SecretPath>()
  for (const candidate of candidates) {
    const known = resolve(candidate)
    if (known) found.set(known.path, known)
  }
  return [...found.values()]
}

const IN_HOME = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.vault-token', '.netrc'],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.pgpass', '.my.cnf', '.s3cfg', '.boto', '.databrickscfg'],
  ...['.git-credentials', '.config/git/credentials', '.config/gh', '.config/hub', '.config/glab-cli'],
  ...['.config/gcloud', '.config/op', '.config/rclone', '.config/doctl', '.config/configstore', '.config/pip'],
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
  ...['/etc/docker', '/etc/kubernetes', '/etc/rancher', '/etc/ssl/private', '/etc/wireguard', '/etc/krb5.keytab'],
  ...['/etc/NetworkManager/system-connections', '/var/lib/docker', '/var/lib/containerd', '/var/lib/kubelet'],
  ...['/var/lib/lxd', '/var/snap/lxd', '/var/snap/docker', '/var/spool/mail', '/var/mail', '/var/log'],
  ...['/var/lib/mysql', '/var/lib/postgresql', '/var/lib/redis', '/var/spool/postfix', '/mnt/wsl', '/docker.sock'],
  ...['/.dockerenv', '/secrets', '/var/secrets', '/vault/secrets', '/var/spool/cron', '/swapfile'],
]

function ownHomes(): string[] {
  const homes = [homedir()]
  try {
    homes.push(userInfo().homedir)
  } catch {
    // A user without an entry in the system's list has only what HOME says.
  }
  const { XDG_CONFIG_HOME, XDG_DATA_HOME } = process.env
  // What programs put below these is found by the names it has in a home: `.config/gh` is `gh` there.
  return [...new Set([...homes, ...[XDG_CONFIG_HOME, XDG_DATA_HOME].flatMap(asHome)])].filter(Boolean)
}

/** The folder in which `.config` or `.local/share` would be what the variable names, if it is of that form. */
function asHome(folder: string | undefined): string[] {
  const ending = ['/.config', '/.local/share'].find((end) => folder?.endsWith(end))
  return folder && ending ? [folder.slice(0, -ending.length)] : []
}

function otherHomes(own: readonly string[]): string[] {
  const homes = [...list('/home').map((name) => join('/home', name)), '/root']
  return homes.filter((home) => !own.includes(home))
}

function socketsInEnvironment(): string[] {
  const { SSH_AUTH_SOCK, DOCKER_HOST, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, GPG_AGENT_INFO } = process.env
  const values = [SSH_AUTH_SOCK, DOCKER_HOST, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, GPG_AGENT_INFO]
  return values.flatMap((value) => {
    const at = value?.indexOf('/') ?? -1
    // unix:///path, unix:path=/path,guid=…, /path:1234:1
    return value && at >= 0 ? [value.slice(at).replace(/^\/+/u, '/').split(/[,:;]/u, 1)[0] ?? ''] : []
  })
}

function resolve(candidate: string): SecretPath | undefined {
  try {
    const path = realpathSync.native(candidate)
    return { path, folder: statSync(path).isDirectory() }
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
