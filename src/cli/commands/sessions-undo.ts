import { dirname, isAbsolute, resolve } from 'node:path'
import { type Restored, restoreFile } from '../../adapters/files/restore-file.ts'
import { toArray } from '../../core/list.ts'
import { type Restoration, type UndoStep, planUndo } from '../../core/undo/plan-undo.ts'
import type { Journal } from '../../ports/journal.ts'
import type { Blobs } from '../../ports/undo.ts'
import { type ChatId, type RunId, type TurnId, isRunId } from '../../schema/ids.ts'
import type { RunEvent } from '../../schema/run-event.ts'
import type { TurnEvent } from '../../schema/turn-event.ts'
import { touchedPath } from '../../tools/touched-path.ts'
import { neutralize } from '../../view/neutralize.ts'
import type { Args } from '../args.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { findJournal } from '../places.ts'
import { readChat } from '../read-chat.ts'
import { openUndo } from '../undo.ts'

/** `conclave sessions undo`: puts files back to what they were before a turn, a run, or one step of it. */
export async function undoChat(
  journal: Journal,
  chat_id: ChatId,
  args: Args,
  tell: (text: string) => void = say,
  run?: RunId,
): Promise<void> {
  const claim = await journal.acquire(chat_id)
  if (!claim.acquired) {
    throw new Exit(exitCodes.failed, `${chat_id} is open in ${claim.owner}; close it there first`)
  }
  const { session } = await readChat(journal, chat_id)
  const { open_turn, open_run } = session
  const open = [...(open_turn ? [open_turn.turn_id] : []), ...(open_run ? [open_run.run_id] : [])]
  const turns = [...toArray(session.turns), ...open]
  const steps = await chooseSteps(journal, run ? [run] : turns, args)
  const force = args.has('force')
  const plan = planUndo(
    steps.map((step) => placed(step, session.folder)),
    { force },
  )
  const { blobs } = openUndo(dirname(findJournal(args)))
  const left: string[] = plan.lost.map((path) => `${path}: its old bytes were not kept`)
  // Deleting goes first: where a file was, there may be a folder now.
  for (const restoration of plan.restore.toSorted((a, b) => Number(a.to !== null) - Number(b.to !== null))) {
    const outcome = await carryOut(session.folder, blobs, restoration, force)
    if ('left' in outcome) left.push(`${restoration.path}: ${outcome.left}`)
    else tell(outcome.done)
  }
  if (left.length > 0)
    throw new Exit(exitCodes.failed, `left alone:\n${left.map((line) => `  ${line}`).join('\n')}`)
  if (plan.restore.length === 0) tell('Nothing to undo: these steps left the files as they were.')
}

interface TimedStep extends UndoStep {
  at: string
  /** Where its relative paths start, when that was said. */
  root?: string
}

async function chooseSteps(journal: Journal, turns: Work[], args: Args): Promise<TimedStep[]> {
  const turn = args.value('turn')
  const call = args.value('step')
  if (turn !== undefined) {
    const found = turns.filter((id) => id === turn || id.endsWith(turn))
    const [only] = found
    if (!only || found.length > 1) {
      throw new Exit(
        exitCodes.input,
        `"${turn}" fits ${found.length} turns of this chat: ${turns.join(', ')}`,
      )
    }
    return orNothing(await stepsOf(journal, only), `${only} changed no files`)
  }
  for (const id of turns.toReversed()) {
    const steps = await stepsOf(journal, id)
    if (call === undefined && steps.length > 0) return steps
    const step = steps.filter(({ call_id }) => call_id === call)
    if (step.length > 0) return step
  }
  return orNothing(
    [],
    call === undefined ? 'this chat changed no files' : `no step ${call} of this chat changed a file`,
  )
}

function orNothing(steps: TimedStep[], message: string): TimedStep[] {
  if (steps.length === 0) throw new Exit(exitCodes.input, message)
  return steps
}

type Work = TurnId | RunId

/** Of a team: what the winning answer put into the folder, and what the turns that may write there did. */
async function stepsOfRun(journal: Journal, run: RunId): Promise<TimedStep[]> {
  const steps: TimedStep[] = []
  const writers: TurnId[] = []
  let alone = false
  for (const { at, event: stored } of await journal.read(run)) {
    const event = stored as RunEvent
    if (event.type === 'run.started') alone = event.settings.coordination.write_during_coordination
    else if (event.type === 'agent.started' && (alone || event.purpose === 'present'))
      writers.push(event.turn_id)
    else if (event.type === 'answer.applied' && event.files.length > 0)
      steps.push({ at, call_id: event.label, files: event.files })
  }
  for (const turn of writers) steps.push(...(await stepsOf(journal, turn)))
  return inOrder(steps)
}

const inOrder = (steps: TimedStep[]): TimedStep[] =>
  steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))

/** Those of sub-agents and launched runs included, in the order they ended. */
async function stepsOf(journal: Journal, turn: Work): Promise<TimedStep[]> {
  if (isRunId(turn)) return stepsOfRun(journal, turn)
  const steps: TimedStep[] = []
  const delegated = new Set<string>()
  let root: string | undefined
  for (const { at, event: stored } of await journal.read(turn)) {
    const event = stored as TurnEvent
    if (event.type === 'turn.started') root = event.settings.reach?.root
    else if (event.type === 'subtasks.planned') delegated.add(event.call_id)
    else if (event.type === 'subtask.started') steps.push(...(await stepsOf(journal, event.turn_id)))
    else if (event.type === 'tool.called' && event.child && isRunId(event.child)) {
      delegated.add(event.call.id)
      steps.push(...(await stepsOfRun(journal, event.child)))
    } else if (event.type === 'run.launched') steps.push(...(await stepsOfRun(journal, event.run_id)))
    else if (event.type === 'tool.finished' && event.files?.length && !delegated.has(event.call_id)) {
      steps.push({ at, call_id: event.call_id, files: event.files, ...(root && { root }) })
    }
  }
  return inOrder(steps)
}

/** A turn may have worked elsewhere than in the chat's folder; then the paths are absolute. */
function placed({ call_id, files, root }: TimedStep, folder: string): UndoStep {
  if (root === undefined || root === folder) return { call_id, files }
  return {
    call_id,
    files: files.map((file) => ({ ...file, path: touchedPath(resolve(root, file.path), folder) })),
  }
}

async function carryOut(
  folder: string,
  blobs: Blobs,
  { path, to, mode, expect, stopped_at }: Restoration,
  force: boolean,
): Promise<{ done: string } | { left: string }> {
  const bytes = to === null ? null : await blobs.read(to)
  if (bytes === undefined) return { left: 'its old bytes are no longer kept' }
  // Outside of the chat's folder the path is absolute: a granted one.
  const root = isAbsolute(path) ? dirname(path) : folder
  const rights = mode === undefined ? {} : { mode }
  const restored = await restoreFile(root, blobs, { path, bytes, ...rights, ...(force ? {} : { expect }) })
  return describe(path, restored, { partly: stopped_at !== undefined, force })
}

function describe(
  path: string,
  restored: Restored,
  { partly, force }: { partly: boolean; force: boolean },
): { done: string } | { left: string } {
  if ('refused' in restored) return { left: restored.refused }
  const kept = force && restored.kept ? ` (what was there is kept: undo/${restored.kept})` : ''
  switch (restored.done) {
    case 'already':
      return { done: `${path} is already as it was` }
    case 'changed_since':
      return { left: 'changed since then; --force takes it back all the same' }
    case 'deleted':
      return { done: `deleted ${path}${kept}` }
    case 'restored':
      return {
        done: `restored ${path}${partly ? ' to what somebody made of it between two steps' : ''}${kept}`,
      }
  }
}

const say = (text: string): void => void process.stdout.write(`${neutralize(text)}\n`)
