import type { RunInput } from '../../core/run/input.ts'
import { runLogFiles } from '../../core/run/log-files.ts'
import { findAnswer } from '../../core/run/state.ts'
import { ruleOnChange } from '../../core/policy/authorize.ts'
import type { Snapshot } from '../../ports/workspace.ts'
import type { PermissionRule } from '../../schema/permission.ts'
import type { RunId } from '../../schema/ids.ts'
import type { RunEvent } from '../../schema/run-event.ts'
import type { RunDesk } from './desk.ts'
import { endTrace } from './project-trace.ts'
import { worksInCopy } from './reach-for.ts'

/** What the writable places look like before anything is written: the person's folder and the context paths. */
export async function takeBaseline({ order, actor, team, turns }: RunDesk): Promise<RunInput> {
  const writable = actor.state.settings.context_paths.filter(({ permission }) => permission === 'write')
  const paths = [order.chat.folder, ...writable.map(({ path }) => path)]
  const record = await team.record(order.run_id)
  // What cannot be looked at cannot be compared later, and then that is said.
  await team.writes.begin({ paths, record })
  return { type: 'baseline_taken', baseline: record, now: turns.parts.clock.now() }
}

export async function applyAnswer({ order, actor, team, turns }: RunDesk, label: string): Promise<RunInput> {
  const now = () => turns.parts.clock.now()
  const answer = findAnswer(actor.state, label)
  const snapshot = answer && (await team.workspaces.find(order.run_id, answer.snapshot.id))
  const { folder } = order.chat
  const conflicts = `${folder}/${logDirectory(order.run_id)}/conflicts`
  const { rules = [] } = actor.state.settings.turn
  const applied = snapshot
    ? await team.workspaces.apply(snapshot, { folder, conflicts, leave: denied(snapshot, rules) })
    : { refused: 'its snapshot is gone' }
  if ('refused' in applied) {
    const paths = answer?.snapshot.changed.map(({ path }) => path) ?? []
    return {
      type: 'applied',
      files: [],
      conflicts: paths.map((path) => ({ path, reason: applied.refused })),
      now: now(),
    }
  }
  return {
    type: 'applied',
    files: applied.written,
    conflicts: applied.conflicts.map(({ path, message, kept }) => ({
      path,
      reason: message,
      ...(kept?.answer && { kept_as: kept.answer }),
    })),
    now: now(),
  }
}

/** A rule about a path holds whoever writes it, and commands in a copy write what they like. */
const denied = ({ changes }: Snapshot, rules: readonly PermissionRule[]): Map<string, string> =>
  new Map(
    changes.files
      .filter((file) => ruleOnChange(rules, file) === 'deny')
      .map(({ path }) => [path, 'a rule of the config denies it']),
  )

/** What was written, told below the answer; a long list goes into a file of its own. */
export async function findWrites(desk: RunDesk, record: string): Promise<RunInput> {
  const { order, team, turns } = desk
  const { folder } = order.chat
  await storeFiles(desk, new Map([['task.md', `${order.prompt}\n`]]))
  const found = await team.writes.end({ record, log_dir: `${folder}/${logDirectory(order.run_id)}`, folder })
  const now = turns.parts.clock.now()
  if ('refused' in found) return { type: 'writes_found', files: [], footer: `(${found.refused})`, now }
  return { type: 'writes_found', files: found.writes, footer: found.footer ?? '', now }
}

/** What people read afterwards; then the workspaces are removed. */
export async function storeLog(desk: RunDesk): Promise<RunInput> {
  const { order, actor, team, turns } = desk
  const { journal, clock } = turns.parts
  const { run_id } = order
  const events = await journal.read(run_id)
  const diffs = new Map<string, string>()
  if (worksInCopy(actor.state)) {
    for (const { label, snapshot } of actor.state.agents.flatMap(({ answers }) => answers)) {
      const found = snapshot.files > 0 ? await team.workspaces.find(run_id, snapshot.id) : undefined
      if (found) diffs.set(label, await team.workspaces.diff(found))
    }
  }
  await storeFiles(desk, runLogFiles(actor.state, events as { at: string; event: RunEvent }[], diffs))
  // First what still runs in them.
  await team.close?.(run_id)
  await endTrace(desk)
  await team.workspaces.close(run_id, 'nothing')
  return { type: 'log_stored', directory: logDirectory(run_id), now: clock.now() }
}

/** Relative to the person's folder. */
export const logDirectory = (run_id: RunId): string => `.conclave/logs/${run_id}`

/** Through the one way to the person's files, so that no link leads it elsewhere. A log that cannot be kept ends no run. */
async function storeFiles({ order, turns }: RunDesk, texts: ReadonlyMap<string, string>): Promise<void> {
  const files = turns.parts.files(order.chat.folder)
  for (const [name, text] of texts) {
    const path = `${logDirectory(order.run_id)}/${name}`
    const made = await files.write(path, text, { create: true })
    if ('refused' in made) await files.write(path, text, { create: false })
  }
}
