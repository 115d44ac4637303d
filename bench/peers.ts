// Ourselves beside the floor, `node -e 0` and every installed peer, in one interleaved run against one scripted model.
// Run: npm run bench [-- rounds]; PEERS=<folder> names a folder of installed peers, CONCLAVE another launcher.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Client, findClients } from './support/clients.ts'
import { type Cost, measure, median } from './support/measure.ts'
import { type Asked, modelServer } from './support/model-server.ts'

const TURNS = 20
const rounds = Number(process.argv[2] ?? 5)
const root = join(import.meta.dirname, '..')
const base = mkdtempSync(join(tmpdir(), 'conclave-bench-peers-'))
const workspace = makeWorkspace(join(base, 'workspace'))
const server = await modelServer()

interface Sample extends Cost {
  asked: Asked
}

/** What is measured: which arguments, and how many commands the model asks for. */
const phases = [
  { name: 'version', turns: 0, args: () => ['--version'] },
  { name: 'help', turns: 0, args: () => ['--help'] },
  { name: 'hello', turns: 0, args: ({ ask }: Client) => ask?.('say hello') },
  { name: 'turns', turns: TURNS, args: ({ ask }: Client) => ask?.('read the files one by one') },
] as const
type Phase = (typeof phases)[number]

const rows: {
  title: string
  phase: Phase['name']
  unit: string
  digits: number
  of: (sample: Sample) => number
}[] = [
  { title: '`--version`', phase: 'version', unit: 'ms', digits: 0, of: ({ wall_ms }) => wall_ms },
  { title: '`--help`', phase: 'help', unit: 'ms', digits: 0, of: ({ wall_ms }) => wall_ms },
  { title: 'hello, start to exit', phase: 'hello', unit: 'ms', digits: 0, of: ({ wall_ms }) => wall_ms },
  { title: 'hello, CPU', phase: 'hello', unit: 'ms', digits: 0, of: ({ cpu_ms }) => cpu_ms },
  { title: 'hello, memory', phase: 'hello', unit: 'MB', digits: 0, of: ({ memory_mb }) => memory_mb },
  {
    title: `${TURNS} turns, start to exit`,
    phase: 'turns',
    unit: 'ms',
    digits: 0,
    of: ({ wall_ms }) => wall_ms,
  },
  { title: `${TURNS} turns, CPU`, phase: 'turns', unit: 'ms', digits: 0, of: ({ cpu_ms }) => cpu_ms },
  {
    title: `${TURNS} turns, memory`,
    phase: 'turns',
    unit: 'MB',
    digits: 0,
    of: ({ memory_mb }) => memory_mb,
  },
  { title: 'overhead of a turn', phase: 'turns', unit: 'ms', digits: 1, of: ({ asked }) => overhead(asked) },
  {
    title: 'first request',
    phase: 'hello',
    unit: 'tokens',
    digits: 0,
    of: ({ asked }) => asked.requests[0]?.tokens ?? NaN,
  },
  { title: 'history rewrites', phase: 'turns', unit: '', digits: 0, of: ({ asked }) => rewrites(asked) },
]

const clients = findClients(server.address, root, workspace)
const samples = new Map<string, Sample[]>()
try {
  for (const client of clients) prepare(client)
  // The first round warms caches up and is not kept.
  for (let round = 0; round <= rounds; round++) {
    for (const phase of phases) {
      for (const client of clients) {
        const sample = await take(client, phase)
        if (sample && round > 0) keep(client, phase, sample)
      }
    }
    process.stderr.write(`round ${round} of ${rounds}\n`)
  }
  print()
} finally {
  server.close()
  rmSync(base, { recursive: true, force: true })
}

async function take(client: Client, { name, turns, args }: Phase): Promise<Sample | undefined> {
  const given = args(client)
  if (!given || (client.name === 'node -e 0' && name !== 'version')) return undefined
  const asked = server.begin(turns)
  const home = homeOf(client)
  const PATH = [client.path, process.env['PATH']].filter(Boolean).join(':')
  const env = { HOME: home, PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...client.env }
  const program = client.name === 'node -e 0' ? client.program : [...client.program, ...given]
  const cost = await measure(program, { cwd: workspace, env, scratch: base })
  const expected = name === 'hello' || name === 'turns' ? turns + 1 : 0
  if (cost.code === 0 && asked.requests.length >= expected) return { ...cost, asked }
  throw new Error(
    `${client.name} failed at ${name}: exit code ${cost.code}, ${asked.requests.length} of ${expected} requests\n${cost.output}`,
  )
}

function keep(client: Client, phase: Phase, sample: Sample): void {
  const key = `${client.name}/${phase.name}`
  samples.set(key, [...(samples.get(key) ?? []), sample])
}

/** Each cell: the median, and how often ours goes into it. */
function print(): void {
  console.log(
    `Medians of ${rounds}, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}, Node ${process.version}.`,
  )
  console.log('In brackets: what ours is of it.\n')
  console.log(`| | ${clients.map(({ name }) => name).join(' | ')} |`)
  console.log(`|---|${clients.map(() => '---:').join('|')}|`)
  for (const { title, phase, unit, digits, of } of rows) {
    const [mine = NaN, ...others] = clients.map(({ name }) =>
      median((samples.get(`${name}/${phase}`) ?? []).map(of)),
    )
    const cells = others.map((value) => {
      if (Number.isNaN(value)) return '–'
      const ratio = unit && value > 0 ? ` (${(mine / value).toFixed(2)}×)` : ''
      return `${value.toFixed(digits)} ${unit}${ratio}`.trim()
    })
    console.log(`| ${[title, `${mine.toFixed(digits)} ${unit}`.trim(), ...cells].join(' | ')} |`)
  }
}

/** From the end of a reply to the next request, the command in between included. */
function overhead({ requests }: Asked): number {
  return median(requests.slice(1, TURNS + 1).map(({ gap_ms }) => gap_ms))
}

/** Requests that are not the one before and a tail: they miss the provider's cache. */
function rewrites({ requests }: Asked): number {
  const isRewritten = ({ messages }: Asked['requests'][number], index: number): boolean =>
    requests[index]?.messages.some((message, at) => message !== messages[at]) ?? false
  return requests.slice(1).filter(isRewritten).length
}

function homeOf({ name }: Client): string {
  return join(base, 'homes', name.replaceAll(/\W+/gu, '-'))
}

function prepare(client: Client): void {
  for (const [name, text] of Object.entries({ '.keep': '', ...client.files })) {
    const path = join(homeOf(client), name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

function makeWorkspace(folder: string): string {
  mkdirSync(folder)
  for (let file = 1; file <= 100; file++) {
    writeFileSync(join(folder, `f${file}.txt`), `file ${file}\n${'one line of many\n'.repeat(20)}`)
  }
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], {
      cwd: folder,
      stdio: 'ignore',
    })
  git('init')
  git('add', '-A')
  git('commit', '-m', 'files')
  return folder
}
