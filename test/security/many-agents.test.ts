import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { hostileServer } from '../mcp/support.ts'
import { chatServer } from '../support/chat-server.ts'
import { testWith } from '../support/needs.ts'
import { Program } from '../support/program.ts'

const AGENTS = 24
const SERVERS = ['x', 'y', 'z']
/** Two for each agent, and the daemon that each server leaves behind. */
const SLEEPERS = 2 * AGENTS + SERVERS.length

/** Living processes that have this in their command line or environment; of `sleep` only when asked. */
const marked = (mark: string, program = ''): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'latin1')
      const line = read('cmdline')
      return (
        !/\) [ZX] /.test(read('stat')) && line.startsWith(program) && (line + read('environ')).includes(mark)
      )
    } catch {
      return false
    }
  }).length

testWith(
  'bwrap',
  '13 kill -9 with 24 agents at work and tool servers running leaves nothing after five seconds',
  async () => {
    const mark = `${8_000_000 + Math.floor(Math.random() * 1_000_000)}`
    const { base_url } = await chatServer(({ messages }) => {
      const [, first] = messages
      if (messages.length > 2) return 'silence'
      if (String(first?.content).startsWith('part')) {
        const command = `trap '' TERM HUP INT; (setsid sleep ${mark} &); sleep ${mark}; wait`
        return { call: { name: 'shell', arguments: { command } } }
      }
      const subtasks = Array.from({ length: AGENTS }, (_, index) => ({
        id: `s${index}`,
        task: `part ${index}`,
      }))
      return { call: { name: 'delegate', arguments: { subtasks } } }
    })
    const { command, args = [] } = hostileServer('stubborn')
    const program = new Program().configure(
      `agents: [{ id: a, backend: { type: openai_compatible, base_url: '${base_url}', model: m } }]\n` +
        `mcp_servers: ${JSON.stringify(
          Object.fromEntries(SERVERS.map((name) => [name, { command, args, env: { MARK: mark } }])),
        )}\n`,
    )
    const started = program.start(['-p', 'go', '--permission-mode', 'auto'])
    const atWork = () =>
      marked(mark, 'sleep\0') === SLEEPERS && marked(mark, process.execPath) === SERVERS.length
    for (let round = 0; round < 600 && !atWork(); round += 1) await sleep(25)
    expect(marked(mark, 'sleep\0')).toBe(SLEEPERS)
    expect(marked(mark, process.execPath)).toBe(SERVERS.length)
    started.signal('SIGKILL')
    for (let round = 0; round < 200 && marked(mark) > 0; round += 1) await sleep(25)
    expect(marked(mark)).toBe(0)
  },
)
