import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteJournal } from '../adapters/journal/sqlite-journal.ts'
import { temporaryFolder } from '../../test/support/workbench.ts'
import type { Commit, Journal } from '../ports/journal.ts'
import type { Model, ModelPart, ModelRequest } from '../ports/model.ts'

/** A real journal in a folder of its own. */
export async function temporaryJournal(): Promise<{ path: string; journal: Journal }> {
  const path = join(temporaryFolder(), 'journal.db')
  return { path, journal: await openSqliteJournal({ path }) }
}

/** The journal of a process that was killed after these commits, opened by the next one. */
export async function journalHolding(commits: Commit[]): Promise<Journal> {
  const { path, journal } = await temporaryJournal()
  for (const commit of commits) await journal.append(commit)
  await journal.close()
  return openSqliteJournal({ path })
}

/** Keeps every commit in the order they were made. */
export function recordingJournal(journal: Journal): { journal: Journal; commits: Commit[] } {
  const commits: Commit[] = []
  const append = async (commit: Commit) => {
    await journal.append(commit)
    commits.push(commit)
  }
  return { commits, journal: { ...journal, append } }
}

export const says = (text: string): ModelPart[] => [{ type: 'text', text }]

export const calls = (...made: [name: string, input: object][]): ModelPart[] =>
  made.map(([name, input], index) => ({
    type: 'call',
    id: `${index}`,
    name,
    arguments: JSON.stringify(input),
  }))

/** In the place of a reply: the model is silent until it is told to stop. */
export const never = 'never'

/**
 * A model that answers by the task it was given, which is the last prompt of the conversation, and by how many replies
 * it gave since. So several agents can share it, and it goes on at the right place after a crash.
 */
export function byTask(script: Record<string, (ModelPart[] | typeof never)[]>): Model {
  return {
    label: 'by task',
    async *stream({ messages }, signal): AsyncGenerator<ModelPart> {
      const start = messages.findLastIndex(({ role, ...rest }) => role === 'user' && textOf(rest) in script)
      const first = messages[start]
      const given = messages.slice(start).filter(({ role }) => role === 'assistant').length
      const reply = script[first ? textOf(first) : '']?.[given] ?? says('There is nothing left to do.')
      if (reply === never) await aborted(signal)
      else yield* reply
    },
  }
}

/** Keeps every request as it was sent. */
export function recordingModel(model: Model): { model: Model; requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    requests,
    model: {
      ...model,
      stream(request, ...rest) {
        requests.push(structuredClone(request))
        return model.stream(request, ...rest)
      },
    },
  }
}

/** A command that writes its process id to a file, then runs for a minute. */
export const sleeper = (file: string): string =>
  `echo $$ > ${file}.new; mv ${file}.new ${file}; exec sleep 60`

export async function readPid(file: string): Promise<number> {
  for (;;) {
    try {
      return Number(readFileSync(file, 'utf8'))
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

/** A dead process that nobody has collected yet is not alive. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

const textOf = (message: object): string => ('text' in message ? String(message.text) : '')

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
