// A long session in little time: 10,000 messages, teams of 24 agents among them, with the engine, its database and the
// screen in one process. Keys are pressed while the agents write. Memory is what is left after a collection.
// Run: sh scripts/node.sh --expose-gc --max-semi-space-size=4 bench/tui-soak.ts [messages]
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { itemCount } from '../src/view/transcript.ts'
import { openLongSession } from '../test/support/long-session.ts'

const MESSAGES = Number(process.argv[2] ?? 10_000)
const AGENTS = 24
/** A team writes a message for each agent and one more; the person another. */
const TEAM_EVERY = 500

const folder = mkdtempSync(join(tmpdir(), 'conclave-soak-'))
const { app, terminal, ask, askTeam, close } = await openLongSession(folder, AGENTS)
const echoes: number[] = []
const stop = pressKeys()
const memory: { messages: number; heap: number; rss: number }[] = []
let messages = 0
let nextTeam = 0
let nextReport = 0
while (messages < MESSAGES) {
  if (messages >= nextTeam) {
    await askTeam('What is here?')
    messages += AGENTS + 2
    nextTeam += TEAM_EVERY
  }
  await ask('What is here?')
  messages += 2
  if (messages >= nextReport) {
    report()
    nextReport += MESSAGES / 10
  }
}
report()
stop()
const [, ...later] = memory
const warm = later[0]
const most = (what: 'heap' | 'rss') => Math.max(...later.map((now) => now[what])) - (warm?.[what] ?? 0)
echoes.sort((a, b) => a - b)
const at = (part: number) => `${(echoes[Math.floor(echoes.length * part)] ?? 0).toFixed(1)} ms`
print(
  `after warm-up: heap ${warm?.heap.toFixed(0)} MB and at most ${most('heap').toFixed(0)} MB more until the end,`,
)
print(`  resident ${warm?.rss.toFixed(0)} MB and at most ${most('rss').toFixed(0)} MB more`)
print(
  `${echoes.length} keys echoed while agents write: median ${at(0.5)}, p95 ${at(0.95)}, worst ${at(0.999)}`,
)
print(`load ${loadavg()[0]?.toFixed(1)}, CPU ${(process.cpuUsage().user / 1e6).toFixed(0)} s`)
await close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)

function report(): void {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const now = { messages, heap: heapUsed / 1e6, rss: rss / 1e6 }
  memory.push(now)
  print(
    `${String(messages).padStart(6)} messages: heap ${now.heap.toFixed(1)} MB, resident ${now.rss.toFixed(0)} MB, ` +
      `${itemCount(app.view.transcript)} items`,
  )
}

/** A letter now and then; its echo is the next thing drawn. */
function pressKeys(): () => void {
  let pressed: number | undefined
  terminal.onWrite = () => {
    if (pressed !== undefined) echoes.push(performance.now() - pressed)
    pressed = undefined
  }
  const timer = setInterval(() => {
    if (pressed !== undefined || !app.view.under_way) return
    if (app.editor.getText().length > 40) app.editor.setText('')
    pressed = performance.now()
    terminal.press('x')
  }, 60)
  return () => clearInterval(timer)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
