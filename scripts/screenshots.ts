/** Makes docs/images/*.svg: the real program in a real terminal, drawn from the cells of an emulator. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { drawScreen } from './draw-screen.ts'

const root = join(import.meta.dirname, '..')
const COLS = 110
const ROWS = 30

const files = {
  'src/login.ts': 'export function refresh(session: Session) {\n  setTimeout(() => renew(session), 200)\n}\n',
  'test/login.test.ts': "import { refresh } from '../src/login.ts'\n",
}

const edit = (new_text: string) => ({
  name: 'update_file',
  input: {
    path: 'src/login.ts',
    edits: [{ old_text: 'setTimeout(() => renew(session), 200)', new_text }],
  },
})

interface Member {
  change: string
  answer: string
  reason: string
  slow?: boolean
}

const member = ({ change, answer, reason, slow = false }: Member) => [
  {
    text: 'The test waits 200 ms for a token.',
    calls: [{ name: 'read_file', input: { path: 'src/login.ts' } }],
  },
  { calls: [edit(change)], usage: { input_tokens: 6200, output_tokens: 310, cost_usd: 0.04 } },
  ...(slow ? [{ calls: [{ name: 'shell', input: { command: 'touch log; npm test; sleep 60' } }] }] : []),
  { calls: [{ name: 'new_answer', input: { answer } }], delay_ms: 600 },
  { calls: [{ name: 'vote', input: { agent_id: '{{candidate:expiry}}', reason } }] },
  { text: answer },
]

const team = ({ slow }: { slow: boolean }) => ({
  ada: member({
    change: 'await clock.sleep(until(session.expiry))\n  await renew(session)',
    answer: 'Wait for the expiry of the token instead of a fixed delay.',
    reason: 'no fixed delay is left, and the tests pass',
  }),
  bob: member({
    change: 'setTimeout(() => renew(session), 2000)',
    answer: 'Use a longer delay: two seconds are enough.',
    reason: 'safer than a longer delay',
    slow,
  }),
  cyd: member({
    change: 'await renew(session)',
    answer: 'Renew at once; nothing has to be waited for.',
    reason: 'keeps the session alive',
    slow,
  }),
})

const plan = {
  goal: 'Make the login test reliable',
  steps: [
    ['Read how the token is refreshed', 'find the race', 'read_file', 'src/login.ts'],
    ['Wait for the expiry instead of 200 ms', '200 ms is a guess', 'update_file', 'src/login.ts'],
    ['Run the test 50 times', 'prove that it holds', 'shell', 'test/login.test.ts'],
  ].map(([action, reason, tool, file], index) => ({
    ...{ step_number: index + 1, action, reason, tools_needed: [tool], files: [file] },
  })),
  estimated_total_time: '10 min',
  risks: ['the clock is shared with billing'],
  prerequisites: [],
}

async function main(): Promise<void> {
  const images = join(root, 'docs/images')
  mkdirSync(images, { recursive: true })
  const evidence = 'orchestrator: { evidence: [{ name: tests, command: "grep -q expiry src/login.ts" }] }\n'
  const task = 'The login test fails one time in ten. Find out why and fix it.'
  const shots: [string, Shot][] = [
    [
      'team',
      {
        agents: team({ slow: true }),
        more: evidence,
        args: [],
        until: /ada answers[^]*✔ tests[^]*bob +acting[^]*cyd +acting/,
      },
    ],
    [
      'plan',
      {
        agents: { ada: [{ text: `Here is a plan.\n${JSON.stringify(plan)}` }] },
        args: ['--plan'],
        until: /Execute plan/,
        keys: ['\u001b[B'],
      },
    ],
    [
      'override',
      {
        agents: team({ slow: false }),
        more: evidence,
        args: ['--no-refine'],
        until: /Continue with/,
        keys: ['\u000f'],
      },
    ],
  ]
  for (const [name, shot] of shots) {
    const svg = await take(task, shot)
    writeFileSync(join(images, `${name}.svg`), svg)
    process.stdout.write(`docs/images/${name}.svg ${Math.round(svg.length / 1024)} KB\n`)
  }
}

interface Shot {
  agents: Record<string, object[]>
  more?: string
  args: string[]
  /** What the screen shows when everything is there. */
  until: RegExp
  keys?: string[]
}

async function take(task: string, { agents, more = '', args, until, keys = [] }: Shot): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'conclave-shot-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(`shop/${path}`, text)
  for (const [id, replies] of Object.entries(agents)) write(`${id}.json`, JSON.stringify(replies))
  const listed = Object.keys(agents).map(
    (id) => `  - { id: ${id}, backend: { type: scripted, file: ${home}/${id}.json } }\n`,
  )
  write('.config/conclave/config.yaml', `agents:\n${listed.join('')}${more}`)
  const emulator = new xterm.Terminal({ cols: COLS, rows: ROWS, allowProposedApi: true })
  const pty = spawn(join(root, 'bin/conclave'), ['--permission-mode', 'auto', ...args, task], {
    ...{ name: 'xterm-256color', cols: COLS, rows: ROWS, cwd: join(home, 'shop') },
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color' },
  })
  emulator.onData((reply) => pty.write(reply))
  pty.onData((data) => emulator.write(data))
  try {
    const deadline = Date.now() + 30_000
    while (!until.test(textOf(emulator))) {
      if (Date.now() > deadline) throw new Error(`${String(until)} never came:\n${textOf(emulator)}`)
      await sleep(50)
    }
    for (const key of keys) {
      pty.write(key)
      await sleep(300)
    }
    await sleep(400)
    return drawScreen(emulator)
  } finally {
    pty.kill('SIGKILL')
    emulator.dispose()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

const textOf = ({ buffer: { active }, rows }: InstanceType<typeof xterm.Terminal>): string =>
  Array.from({ length: rows }, (_, row) => active.getLine(row)?.translateToString(true) ?? '').join('\n')

await main()
