import { DatabaseSync } from 'node:sqlite'
import type { DurableEvent, StoredEnvelope } from '../../src/schema/envelope.ts'
import type { CrashRun } from './crash-run.ts'
import type { ProgramCopy } from './program-copy.ts'
import type { Workspace } from './workspace.ts'

export interface Findings {
  /** Acknowledged events that are not stored as they were printed. */
  lost: number
  interrupted: number
  /** Effects that are there more than once. */
  repeated: number
  problems: string[]
}

/** Holds what the program said while it was killed against what it has stored and done. */
export async function verifyRun(
  program: ProgramCopy,
  workspace: Workspace,
  run: CrashRun,
): Promise<Findings> {
  const stored = run.chat ? await exportChat(program, workspace, run.chat) : []
  const lost = findLost(run.acknowledged, stored)
  const calls = judgeCalls(
    workspace,
    stored.map(({ event }) => event),
  )
  const problems = [
    ...run.surprises,
    ...lost,
    ...calls.problems,
    ...findUnfinished(run, stored),
    ...checkFile(workspace),
  ]
  const interrupted = stored.filter(
    ({ event }) => event.type === 'tool.finished' && event.cut === 'interrupted',
  ).length
  return { lost: lost.length, interrupted, repeated: calls.repeated, problems }
}

export async function exportChat(
  program: ProgramCopy,
  { dataFlags }: Pick<Workspace, 'dataFlags'>,
  chat: string,
): Promise<StoredEnvelope[]> {
  const { code, lines, stderr } = await program.run([
    'sessions',
    'export',
    chat,
    '--format',
    'json',
    ...dataFlags,
  ])
  if (code !== 0) throw new Error(`${chat} cannot be exported: ${stderr}`)
  return lines.map((line) => JSON.parse(line) as StoredEnvelope)
}

export function findLost(acknowledged: StoredEnvelope[], stored: StoredEnvelope[]): string[] {
  const byPlace = new Map(stored.map((envelope) => [placeOf(envelope), JSON.stringify(envelope)]))
  return acknowledged.flatMap((envelope) => {
    const { v, stream, seq, at, event } = envelope
    const kept = byPlace.get(placeOf(envelope))
    if (kept === JSON.stringify({ v, stream, seq, at, event })) return []
    return [
      `${placeOf(envelope)} (${event.type}) was acknowledged and is ${kept ? `stored as ${kept}` : 'not stored'}`,
    ]
  })
}

const placeOf = ({ stream, seq }: StoredEnvelope): string => `${stream} ${seq}`

function judgeCalls(workspace: Workspace, events: DurableEvent[]): { repeated: number; problems: string[] } {
  const problems: string[] = []
  let repeated = 0
  const results = new Map(
    events.flatMap((event) => (event.type === 'tool.finished' ? [[event.call_id, event] as const] : [])),
  )
  for (const event of events) {
    if (event.type !== 'tool.called') continue
    const { call } = event
    const what = `${call.id} (${call.name})`
    const result = results.get(call.id)
    const effects = workspace.countEffects(call) ?? (result?.success ? 1 : 0)
    if (effects > 1) repeated += 1
    if (!result) problems.push(`${what} has no result`)
    else if (result.success ? effects !== 1 : effects > 1)
      problems.push(
        `${what} was ${result.success ? 'successful' : result.cut} and took effect ${effects} times`,
      )
    else if (!result.success && result.cut !== 'interrupted')
      problems.push(`${what} failed: ${result.output}`)
    else if (result.cut === 'interrupted' && event.read_only)
      problems.push(`${what} only reads and was not run again`)
  }
  return { repeated, problems }
}

function findUnfinished({ finished, chat, kills }: CrashRun, stored: StoredEnvelope[]): string[] {
  if (!finished || !chat) return [`${chat ?? 'a chat'} did not come to its end after ${kills} kills`]
  const outcomes = stored.flatMap(({ event }) =>
    event.type === 'turn.finished' || event.type === 'turn.closed' ? [`${event.type} ${event.outcome}`] : [],
  )
  const expected = ['turn.closed complete', 'turn.finished complete']
  const found = outcomes.sort().join(', ')
  return found === expected.join(', ') ? [] : [`${chat} ended with ${found || 'nothing'}`]
}

export function checkFile({ journal }: Pick<Workspace, 'journal'>): string[] {
  const database = new DatabaseSync(journal)
  try {
    const rows = database.prepare('PRAGMA integrity_check').all()
    const text = rows.map((row) => Object.values(row).join()).join('; ')
    return text === 'ok' ? [] : [`${journal}: ${text}`]
  } finally {
    database.close()
  }
}
