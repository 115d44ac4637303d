import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellResult } from '../ports/shell.ts'
import type { ChatId } from '../schema/ids.ts'
import { JobOutput } from './shell-job-output.ts'

/** Who started it; nobody else sees it. */
export interface JobOwner {
  chat_id: ChatId | undefined
  folder: string
}

export interface Job {
  id: string
  owner: JobOwner
  /** It may change something. */
  writes: boolean
  command: string
  output: JobOutput
  /** Ends it. */
  stop: AbortController
  began: number
  ended: Promise<ShellResult>
  result?: ShellResult
}

const MOST_RUNNING = 16
/** Ended ones whose output can still be read. */
const MOST_ENDED = 50

/** The commands of this process whose output can be read piece by piece. They end with it. */
export class ShellJobs {
  readonly #jobs = new Map<string, Job>()
  #last = 0

  get isFull(): boolean {
    return [...this.#jobs.values()].filter(({ result }) => !result).length >= MOST_RUNNING
  }

  start(
    order: Pick<Job, 'owner' | 'writes' | 'command'> & { scratch: (() => string) | undefined },
    run: (job: Pick<Job, 'output' | 'stop'>) => Promise<ShellResult>,
  ): Job {
    this.#last += 1
    const id = `${this.#last}`
    const { scratch, ...rest } = order
    const output = new JobOutput(scratch && (() => join(scratch(), `output-${id}`)))
    const stop = new AbortController()
    const job: Job = { ...rest, id, output, stop, began: Date.now(), ended: run({ output, stop }) }
    this.#jobs.set(id, job)
    void job.ended.then((result) => {
      job.result = result
      output.close()
      this.#dropOldest()
    })
    return job
  }

  find(id: string, { chat_id, folder }: JobOwner): Job | undefined {
    const job = this.#jobs.get(id)
    return job?.owner.chat_id === chat_id && job?.owner.folder === folder ? job : undefined
  }

  /** Ends what a chat has running that may change something, in one folder or in all. */
  async endWriting(chat: ChatId, folder?: string): Promise<void> {
    const running = [...this.#jobs.values()].filter(
      ({ owner, writes, result }) =>
        owner.chat_id === chat && writes && !result && (folder === undefined || owner.folder === folder),
    )
    for (const { stop } of running) stop.abort()
    await Promise.all(running.map(({ ended }) => ended))
  }

  forget(job: Job): void {
    this.#jobs.delete(job.id)
    if (job.output.file !== undefined) rmSync(job.output.file, { force: true })
  }

  #dropOldest(): void {
    const ended = [...this.#jobs.values()].filter(({ result }) => result)
    for (const job of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.forget(job)
  }
}
