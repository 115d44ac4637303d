const LONGEST_NOTE = 200

/** What a person should know about one program before it runs; `line` is its name and its arguments. */
export function describeProgram(name: string, line: readonly string[]): readonly string[] {
  if (!KNOWN.has(name)) return NONE
  const sub = line.find((word, index) => index > 0 && !word.startsWith('-')) ?? ''
  const whole = line.join(' ')
  const notes: string[] = []
  if (DELETERS.has(name) || (name === 'git' && (sub === 'clean' || sub === 'rm')))
    notes.push(`deletes: ${whole}`)
  if (name === 'find' && line.includes('-delete')) notes.push(`deletes what it finds: ${whole}`)
  if (name === 'git' && DESTRUCTIVE_GIT.has(sub)) notes.push(`may throw work away: ${whole}`)
  if (NETWORK.has(name) || NETWORK_WITH[name]?.includes(sub)) notes.push(`reaches the network: ${whole}`)
  if (OTHER_USER.has(name)) notes.push(`runs as another user: ${whole}`)
  if (INTERPRETERS.has(name) && line.some((word) => /^-\w*[cer]$/u.test(word) || word === '--eval'))
    notes.push(`runs a program given as an argument of ${name}`)
  return notes.map((note) => (note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note))
}

const NONE: readonly string[] = []

const words = (text: string): Set<string> => new Set(text.split(' '))

export const SHELLS = words('bash sh dash zsh ksh mksh ash fish rbash')
const DELETERS = words('rm rmdir unlink shred srm wipe trash trash-put truncate dropdb mkfs dd')
const DESTRUCTIVE_GIT = words('reset checkout restore switch rebase stash filter-branch gc prune update-ref')
const NETWORK = words(
  'curl wget ssh scp sftp rsync nc ncat netcat socat telnet ftp lftp ping dig nslookup host whois aria2c http ' +
    'https xh mosh ssh-copy-id openssl gsutil aws gcloud az kubectl docker podman',
)
const NETWORK_WITH: Record<string, string[] | undefined> = {
  git: ['push', 'pull', 'fetch', 'clone', 'ls-remote', 'submodule', 'remote'],
  npm: ['install', 'i', 'ci', 'publish', 'update', 'add', 'exec', 'login'],
  pnpm: ['install', 'i', 'add', 'publish', 'update', 'dlx'],
  yarn: ['install', 'add', 'publish', 'upgrade', 'dlx'],
  pip: ['install', 'download'],
  pip3: ['install', 'download'],
  cargo: ['install', 'publish', 'fetch', 'update'],
  go: ['get', 'install', 'mod'],
  apt: ['install', 'update', 'upgrade'],
  'apt-get': ['install', 'update', 'upgrade'],
  gem: ['install', 'push'],
}
const OTHER_USER = words('sudo su doas runuser pkexec setpriv')
const INTERPRETERS = words('python python2 python3 perl ruby node deno bun php lua tclsh osascript Rscript')
const KNOWN = new Set([
  ...[...DELETERS, ...NETWORK, ...Object.keys(NETWORK_WITH), ...OTHER_USER, ...INTERPRETERS, 'find'],
])
