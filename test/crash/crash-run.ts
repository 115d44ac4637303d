import type { Entry } from '../../src/ports/journal.ts'
import type { Envelope, StoredEnvelope } from '../../src/schema/envelope.ts'
import type { ProgramCopy } from './program-copy.ts'
import { PROMPT, type Workspace } from './workspace.ts'

const DONE = 0
const NOTHING_TO_DO = 42
/** A turn that needs more starts than this does not come to its end. */
const MOST_STARTS = 300
const OPENED = new Set(['turn.opened', 'run.opened'])

/** How the program is told where to work and what to store. */
export type Flags = Pick<Workspace, 'runFlags' | 'dataFlags'>

export interface CrashRun {
  /** Nothing when no chat was ever stored. */
  chat?: string
  kills: number
  finished: boolean
  /** What was printed with a sequence number, by every process, in order. */
  acknowledged: StoredEnvelope[]
  /** Starts that ended in a way they should not. */
  surprises: string[]
}

export interface KillPlan {
  /** Milliseconds after which to kill the next start; nothing to let it run. */
  next(): number | undefined
  /** The program had ended before its time. */
  missed(): void
}

/** Starts a turn or a run and kills it, resumes it and kills it again, until it is finished. */
export async function crashAndResume(
  program: ProgramCopy,
  workspace: Flags,
  kills: KillPlan,
  killed_how: 'with_commands' | 'alone' = 'with_commands',
): Promise<CrashRun> {
  const run: CrashRun = { kills: 0, finished: false, acknowledged: [], surprises: [] }
  let prompt: string[] = [PROMPT]
  for (let starts = 0; starts < MOST_STARTS && !run.finished; starts++) {
    const resume = run.chat ? ['--resume', run.chat] : []
    const args = ['--print', ...prompt, ...resume, ...workspace.runFlags]
    const killAfter = kills.next()
    const { code, killed, lines, stderr } = await program.run(args, killAfter, killed_how)
    if (killAfter !== undefined && !killed) kills.missed()
    const printed = storedEnvelopes(lines)
    run.acknowledged.push(...printed)
    run.chat ??= printed.find(({ stream }) => stream.startsWith('chat_'))?.stream
    if (killed) run.kills += 1
    else if (code === DONE) {
      run.finished = true
      continue
    } else if (code !== NOTHING_TO_DO) {
      run.surprises.push(`${args.join(' ')}\n  ended with ${code}: ${stderr.trim()}`)
      return run
    }
    // What a killed process had done it may not have said: ask the journal.
    if (killed && printed.some(({ event }) => OPENED.has(event.type))) prompt = []
    else if (!killed || prompt.length > 0) {
      const stored = await findChat(program, workspace)
      run.chat = stored?.stream
      run.finished = stored !== undefined && !['new', 'working'].includes(stored.status)
      prompt = stored?.status === 'working' ? [] : [PROMPT]
    }
  }
  return run
}

function storedEnvelopes(lines: string[]): StoredEnvelope[] {
  return lines.flatMap((line) => {
    const { seq, ...rest } = JSON.parse(line) as Envelope
    return typeof seq === 'number' ? [{ ...rest, seq } as StoredEnvelope] : []
  })
}

async function findChat(program: ProgramCopy, { dataFlags }: Flags): Promise<Entry | undefined> {
  const { lines } = await program.run(['sessions', 'list', '--output-format', 'json', ...dataFlags])
  const [chat] = JSON.parse(lines.join('')) as Entry[]
  return chat
}
