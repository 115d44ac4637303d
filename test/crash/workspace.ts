import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { ToolCall } from '../../src/schema/turn-event.ts'

export const PROMPT = 'work through the list'

const STEPS = 12

/** The folders of one scripted turn that is killed and resumed: where it works, where it stores, what it is told. */
export class Workspace {
  readonly folder: string
  readonly #base: string

  constructor() {
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-crash-')))
    this.folder = join(this.#base, 'project')
    mkdirSync(this.folder)
    for (let step = 0; step < STEPS; step++)
      writeFileSync(join(this.folder, `read-${step}`), `text ${step}\n`)
    writeFileSync(join(this.folder, 'notes'), 'END\n')
    writeFileSync(join(this.#base, 'script.json'), JSON.stringify({ replies: script() }))
    writeFileSync(
      join(this.#base, 'config.yaml'),
      'agents:\n  - id: a\n    backend: { type: scripted, file: script.json }\n',
    )
  }

  get journal(): string {
    return join(this.#base, 'data', 'journal.db')
  }

  get dataFlags(): string[] {
    return ['--data-dir', join(this.#base, 'data')]
  }

  get runFlags(): string[] {
    return [
      ...this.dataFlags,
      ...['--cd', this.folder, '--config', join(this.#base, 'config.yaml')],
      ...['--output-format', 'stream-json', '--permission-mode', 'auto', '--max-iterations', '40'],
    ]
  }

  /** How often the effect of a call is there; nothing for a call that changes nothing. */
  countEffects({ name, input }: ToolCall): number | undefined {
    switch (name) {
      case 'create_file':
        return this.#linesOf(String(input['path'])).filter((line) => line === input['content']).length
      case 'update_file':
        return this.#count('notes', markOf(JSON.stringify(input)))
      case 'shell':
        return this.#count('effects', markOf(String(input['command'])))
      default:
        return undefined
    }
  }

  remove(): void {
    // A command that outlived its program may still write here.
    rmSync(this.#base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }

  #count(file: string, mark: string): number {
    return this.#linesOf(file).filter((line) => line === mark).length
  }

  #linesOf(file: string): string[] {
    try {
      return readFileSync(join(this.folder, file), 'utf8').split('\n')
    } catch {
      return []
    }
  }
}

const markOf = (text: string): string => text.match(/mark-\d+/)?.[0] ?? ''

/** Every effect leaves a mark of its own. Reads stand between the writes, so that interrupted ones are no series of failures. */
function script(): ScriptedReply[] {
  const work = Array.from({ length: STEPS }, (_, step): ScriptedReply => {
    if (step % 2 === 0) return { text: `Step ${step}.`, calls: [call('read_file', { path: `read-${step}` })] }
    const mark = `mark-${step}`
    if (step % 6 === 1) return { calls: [call('create_file', { path: `new-${step}`, content: mark })] }
    if (step % 6 === 3) {
      const edits = [{ old_text: 'END', new_text: `${mark}\nEND` }]
      return { calls: [call('update_file', { path: 'notes', edits })] }
    }
    // The pauses make it likely that a kill comes before, or after, the effect of a command that is running.
    return {
      calls: [
        call('shell', { command: `sleep 0.01; echo mark-${step}0 >> effects; sleep 0.01` }),
        call('read_file', { path: `read-${step}` }),
        call('shell', { command: `echo mark-${step}1 >> effects; sleep 0.02` }),
      ],
    }
  })
  return [
    ...work,
    { text: 'Worked through it.' },
    { text: '{"verdict": "complete", "reason": "all marks are there"}' },
  ]
}

const call = (name: string, input: Record<string, unknown>) => ({ name, input })
