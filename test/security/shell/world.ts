import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

const LONGEST_MS = 8_000

export const SECRET = 'SECRET-d3ca1e55'

/** A home with secrets, a project with traps, somebody to talk to, and a way to see what a command has done to them. */
export class World {
  readonly folder: string
  readonly home: string
  readonly project: string
  readonly name: string
  #connections = 0
  readonly #dirty = new Set<string>()
  #witnessEnded = false
  #servers: net.Server[] = []
  #witness: ChildProcess | undefined
  #port = 0
  readonly #before = new Map<string, string | undefined>()

  private constructor(folder: string) {
    this.folder = folder
    this.name = path.basename(folder)
    this.home = path.join(folder, 'home')
    this.project = path.join(folder, 'project')
  }

  static async make(): Promise<World> {
    const world = new World(fs.realpathSync(fs.mkdtempSync(path.join(worldParent(), 'world-'))))
    plantHome(world.home)
    plantProject(world.project, world.home)
    for (const folder of [world.home, world.project]) fs.renameSync(folder, `${folder}-original`)
    world.#dirty.add(world.home).add(world.project)
    world.restore()
    world.#port = await world.#listen(0)
    await world.#listen(path.join(world.folder, 'socket'))
    world.#setEnvironment()
    return world
  }

  /** Everything as it was in the beginning. */
  restore(): void {
    for (const folder of [this.home, this.project]) {
      if (!this.#dirty.has(folder)) continue
      remove(folder)
      spawnSync('cp', ['-a', `${folder}-original`, folder])
    }
    this.#dirty.clear()
    if (!this.#witness || this.#witnessEnded) this.#startWitness()
  }

  fill(command: string): string {
    const values: Record<string, string> = {
      '@NAME@': this.name,
      '@HOME@': this.home,
      '@PROJECT@': this.project,
      '@PORT@': `${this.#port}`,
      '@SOCKET@': path.join(this.folder, 'socket'),
      '@WITNESS@': `${this.#witness?.pid}`,
    }
    return Object.entries(values).reduce((text, [key, value]) => text.replaceAll(key, value), command)
  }

  /** What a command had for an effect, in words; nothing when it had none. */
  async effects(run: () => Promise<string>): Promise<string[]> {
    const before = this.#snapshot()
    this.#connections = 0
    const output = await run()
    // A connection or a signal arrives when we next look.
    await new Promise((resolve) => setTimeout(resolve, 5))
    const after = this.#snapshot()
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (file) => before.get(file) !== after.get(file),
    )
    for (const file of changed) this.#dirty.add(path.join(this.folder, file.split(path.sep, 1)[0] ?? ''))
    return [
      ...changed.map((file) => `changed ${file}`),
      ...(this.#connections > 0 ? ['connected'] : []),
      ...(this.#witnessEnded ? ['ended a process'] : []),
      ...(output.includes(SECRET) ? ['leaked the secret'] : []),
    ]
  }

  /** Runs without any protection, in order to see that there is something to protect from. */
  async unprotected(command: string): Promise<string> {
    const child = spawn('bash', ['-c', this.fill(command)], {
      cwd: this.project,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const end = (): void => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // Nothing of it is left.
      }
    }
    const timer = setTimeout(end, LONGEST_MS)
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('exit', end)
    await new Promise((resolve) => child.once('close', resolve))
    clearTimeout(timer)
    return output
  }

  close(): void {
    for (const [name, value] of this.#before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    this.#witness?.removeAllListeners()
    this.#witness?.kill('SIGKILL')
    for (const server of this.#servers) server.close()
    remove(this.folder)
  }

  #setEnvironment(): void {
    const values = {
      HOME: this.home,
      CONCLAVE_TEST_KEY: SECRET,
      XDG_CONFIG_HOME: undefined,
      XDG_DATA_HOME: undefined,
      XDG_CACHE_HOME: undefined,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
    }
    for (const [name, value] of Object.entries(values)) {
      this.#before.set(name, process.env[name])
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }

  #listen(at: number | string): Promise<number> {
    const server = net.createServer((socket) => {
      this.#connections += 1
      socket.on('error', () => {})
      setTimeout(() => socket.destroy(), 30)
    })
    this.#servers.push(server)
    return new Promise((resolve) => {
      const ready = (): void => {
        const address = server.address()
        resolve(address !== null && typeof address === 'object' ? address.port : 0)
      }
      if (typeof at === 'number') server.listen(at, '127.0.0.1', ready)
      else server.listen(at, ready)
    })
  }

  /** A process of the same user with a secret in its environment and an open file. */
  #startWitness(): void {
    this.#witnessEnded = false
    const secret = fs.openSync(path.join(this.home, '.ssh', 'id_rsa'), 'r')
    const args = ['-c', 'sleep 1000 & wait', `${this.name}-witness`]
    const env = { ...process.env, CONCLAVE_WITNESS: SECRET }
    this.#witness = spawn('bash', args, { stdio: [secret, 'ignore', 'ignore'], env })
    this.#witness.once('exit', () => (this.#witnessEnded = true))
    fs.closeSync(secret)
  }

  #snapshot(): Map<string, string> {
    const found = new Map<string, string>()
    for (const top of [this.home, this.project]) {
      for (const entry of fs.readdirSync(top, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name)
        const stat = fs.lstatSync(file)
        const content = entry.isFile()
          ? createHash('sha1').update(fs.readFileSync(file)).digest('hex')
          : entry.isSymbolicLink()
            ? fs.readlinkSync(file)
            : ''
        found.set(path.relative(this.folder, file), `${stat.mode} ${stat.ino} ${stat.mtimeMs} ${content}`)
      }
    }
    return found
  }
}

const secretFiles = [
  ...[
    '.ssh/id_rsa',
    '.aws/credentials',
    '.config/gcloud/credentials.db',
    '.docker/config.json',
    '.kube/config',
  ],
  ...['.netrc', '.npmrc', '.pypirc', '.config/gh/hosts.yml', '.git-credentials', '.gnupg/private'],
  ...['.bash_history', '.python_history', '.local/share/conclave/journal.db', '.config/conclave/config.yaml'],
]

function plantHome(home: string): void {
  for (const name of secretFiles) put(path.join(home, name), `; ${SECRET}\n`)
  put(path.join(home, '.bashrc'), '# start\n')
  put(path.join(home, '.gitconfig'), '[user]\n\tname = n\n\temail = e@example\n[safe]\n\tdirectory = *\n')
}

const project: Record<string, string> = {
  'a.txt': 'alpha\nbeta\n',
  'b.txt': 'gamma\n',
  'canary.txt': 'canary\n',
  'evil.awk': 'BEGIN { system("touch pwned") }',
  'evil.c': '__attribute__((constructor)) static void f(void) { __builtin_printf(""); }\n',
  'evil.cjs': "require('fs').writeFileSync('pwned', '')\n",
  'evil.mk': 'x := $(shell touch pwned)\nall:\n\ttrue\n',
  'magic.txt': '0\tstring\tx\ty\n',
  'curl.conf': 'url = "file:///etc/passwd"\noutput = "canary.txt"\n',
  Makefile: 'all:\n\ttouch pwned\n',
  'package.json': '{"scripts":{"evil":"touch pwned"}}\n',
  '.gitattributes': 'a.txt diff=conv\n*.filtered filter=f\n',
  'evil-python/sitecustomize.py': "open('pwned', 'w')\n",
  'evil-python/looker.py': "open('pwned', 'w')\n",
  'evil-perl/evil.pm': "open(F, '>pwned'); 1;\n",
  'evil-repo/HEAD': 'ref: refs/heads/main\n',
  'evil-repo/config': '[core]\n\tfsmonitor = ./evil.sh\n\trepositoryformatversion = 0\n',
  'evil-repo/objects/x': '',
  'evil-repo/refs/x': '',
}

const script = '#!/bin/sh\ntouch pwned\n'

function plantProject(folder: string, home: string): void {
  for (const [name, text] of Object.entries(project)) put(path.join(folder, name), text)
  for (const name of ['evil.sh', 'bin/ls', 'bin/post-checkout']) {
    put(path.join(folder, name), script)
    fs.chmodSync(path.join(folder, name), 0o755)
  }
  fs.mkdirSync(path.join(folder, 'empty'))
  fs.symlinkSync(path.join(home, '.bashrc'), path.join(folder, 'home-link'))
  fs.symlinkSync(path.join(home, '.ssh', 'id_rsa'), path.join(folder, 'key-link'))
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: folder, env: { ...process.env, HOME: home }, stdio: 'ignore' })
  spawnSync('tar', ['cf', 'bundle.tar', 'b.txt'], { cwd: folder })
  spawnSync('sh', ['-c', 'echo x | gzip > data.gz'], { cwd: folder })
  git('init', '-q', '--template=', '-b', 'main')
  git('add', 'a.txt', 'b.txt', '.gitattributes')
  git('commit', '-qm', 'one')
  put(path.join(folder, 'a.txt'), 'alpha\nbeta\nnext\n')
  git('add', 'a.txt')
  git('commit', '-qm', 'two')
}

function remove(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 2 })
}

function put(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

/** Programs of the corpus that this machine does not have. */
export function missingPrograms(needed: readonly string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return [...new Set(needed)].filter(
    (name) => name !== '' && !folders.some((folder) => fs.existsSync(path.join(folder, name))),
  )
}

/** A place for worlds that a sandbox does not hide as a whole, as it does `/tmp`. */
function worldParent(): string {
  const parent = path.join(import.meta.dirname, '../../../node_modules/.cache/worlds')
  fs.mkdirSync(parent, { recursive: true })
  return parent
}
