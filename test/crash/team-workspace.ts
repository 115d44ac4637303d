import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'

export const AGENTS = ['ann', 'bob', 'cy'] as const
export const WINNER = 'ann'
export const FINAL = 'It is presented.'

/** The folders of one scripted run of a team that is killed and resumed. Every effect leaves a mark of its own. */
export class TeamWorkspace {
  readonly folder: string
  readonly base: string

  constructor() {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-crash-')))
    this.folder = join(this.base, 'project')
    mkdirSync(this.folder)
    writeFileSync(join(this.folder, 'notes'), 'END\n')
    writeFileSync(join(this.folder, 'theirs'), 'of the person\n')
    for (const agent of AGENTS) {
      writeFileSync(join(this.base, `${agent}.json`), JSON.stringify({ replies: script(agent) }))
    }
    const agents = AGENTS.map(
      (agent) => `  - { id: ${agent}, backend: { type: scripted, file: ${agent}.json } }\n`,
    )
    const evidence = '  evidence: [{ name: check, command: test -f notes, timeout_seconds: 20 }]\n'
    writeFileSync(join(this.base, 'config.yaml'), `agents:\n${agents.join('')}orchestrator:\n${evidence}`)
  }

  get journal(): string {
    return join(this.base, 'data', 'journal.db')
  }

  get dataFlags(): string[] {
    return ['--data-dir', join(this.base, 'data')]
  }

  get runFlags(): string[] {
    return [
      ...this.dataFlags,
      ...['--cd', this.folder, '--config', join(this.base, 'config.yaml')],
      ...['--output-format', 'stream-json', '--permission-mode', 'auto', '--max-iterations', '40'],
    ]
  }

  /** How often a mark is in the person's folder. */
  count(mark: string): number {
    return readdirSync(this.folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ name }) => readFileSync(join(this.folder, name), 'utf8').split('\n'))
      .filter((line) => line === mark).length
  }

  /** What the program left behind: workspaces, what it began to write, and processes at work here. */
  async leftovers(): Promise<string[]> {
    const data = join(this.base, 'data')
    const names = readdirSync(data, { recursive: true, encoding: 'utf8' })
    const copies = names.filter((name) => name.startsWith('workspaces/'))
    const begun = [...names, ...readdirSync(this.folder)].filter((name) =>
      /\.conclave-.*\.tmp$|\.tmp$/.test(name),
    )
    let processes = processesIn(this.base)
    for (let round = 0; round < 100 && processes.length > 0; round += 1) {
      await sleep(20)
      processes = processesIn(this.base)
    }
    return [...copies, ...begun, ...processes]
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}

/** None where there is no `/proc`. */
function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const at = readlinkSync(`/proc/${pid}/cwd`)
        return at.startsWith(folder) ? [`process ${pid} in ${at}`] : []
      } catch {
        return []
      }
    })
}

const call = (name: string, input: Record<string, unknown>): ScriptedReply => ({ calls: [{ name, input }] })

export const markOf = (text: string): string | undefined => /mark-[a-z]+-\d+/.exec(text)?.[0]

/** Reads stand between the writes, so that interrupted ones are no series of failures. */
function script(agent: string): ScriptedReply[] {
  const mark = (step: number): string => `mark-${agent}-${step}`
  const look = call('read_file', { path: 'theirs' })
  const edits = [{ old_text: 'END', new_text: `${mark(2)}\nEND` }]
  return [
    call('create_file', { path: `new-${agent}`, content: `${mark(1)}\n` }),
    call('read_file', { path: 'notes' }),
    call('update_file', { path: 'notes', edits }),
    look,
    call('shell', { command: `sleep 0.01; echo ${mark(3)} >> effects; sleep 0.02` }),
    look,
    call('new_answer', { answer: `the work of ${agent}` }),
    call('vote', { agent_id: `{{candidate:the work of ${WINNER}}}`, reason: 'the best' }),
    look,
    call('create_file', { path: 'presented', content: `${mark(4)}\n` }),
    look,
    call('shell', { command: `sleep 0.01; echo ${mark(5)} >> effects; sleep 0.02` }),
    { text: FINAL },
  ]
}
