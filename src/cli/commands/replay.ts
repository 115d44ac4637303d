import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openFiles } from '../../adapters/files/gateway.ts'
import { openMemoryJournal } from '../../adapters/journal/memory-journal.ts'
import { Names } from '../../adapters/models/record/names.ts'
import { type ReplayOptions, replayModel } from '../../adapters/models/record/replay.ts'
import type { Recording, RecordingHeader } from '../../adapters/models/record/recording.ts'
import { openShell } from '../../adapters/shell/open-shell.ts'
import { Engine } from '../../engine/engine.ts'
import type { EngineParts } from '../../engine/parts.ts'
import { type OnPending, answerByPolicy } from '../../headless/answer-policy.ts'
import type { Model } from '../../ports/model.ts'
import type { Shell } from '../../ports/shell.ts'
import { type ChatId, type TurnId, isTurnId } from '../../schema/ids.ts'
import type { PendingAnswer } from '../../schema/pending.ts'
import { builtinTools } from '../../tools/registry.ts'
import { neutralize, safeJson } from '../../view/neutralize.ts'
import { runResult } from '../../view/run-result.ts'
import { type Args, usage } from '../args.ts'
import { systemClock } from '../../adapters/system-clock.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { type Recordings, findRecordings } from '../find-recordings.ts'
import { writeOut } from '../output.ts'
import { findJournal } from '../places.ts'
import { projectLoader } from '../project.ts'
import { recordingsFolder } from '../record.ts'
import { say } from '../run-chat.ts'
import { givenCopy, scratchCopy } from '../scratch-copy.ts'
import { standInTools } from '../stand-in-tools.ts'
import { openUndo } from '../undo.ts'

/**
 * `conclave replay <chat or recording>`: the recorded prompts again, with the recorded replies instead of a model. Tools
 * really run, in a copy of the folder.
 */
export async function replay(args: Args): Promise<number> {
  const [name, another] = args.words
  if (name === undefined || another !== undefined)
    throw usage('conclave replay <chat or recording file> [--folder <copy>]')
  const recordings = await findRecordings(name, recordingsFolder(args))
  const { header } = recordings.turns[0] ?? {}
  if (!header) throw new Exit(exitCodes.input, `${name} holds no turn`)
  const planned = recordings.turns.find((turn) => turn.header.settings.plan)
  if (planned)
    throw new Exit(
      exitCodes.input,
      `${planned.header.turn_id} carries out a plan; that cannot be replayed yet`,
    )
  const given = args.value('folder')
  const folder =
    given === undefined ? await scratchCopy(header.folder) : await givenCopy(given, header.folder)
  say(
    `replaying ${recordings.turns.length} recorded turn(s) in ${folder}: tools run there, no model is asked`,
  )
  const names = new Names()
  names.add(header.folder, folder)
  let differences = 0
  const cast = new Cast(recordings, {
    names,
    real_time: args.has('real-time') && !args.has('fast'),
    onDifference: (difference) => {
      differences++
      say(difference)
      return args.has('force')
    },
  })
  const builtin = builtinTools()
  const data = await mkdtemp(join(tmpdir(), 'conclave-replay-data-'))
  const undo = openUndo(data)
  const project = projectLoader(args)
  const engine = new Engine({
    journal: openMemoryJournal(),
    clock: systemClock,
    tools: [...builtin, ...standInTools(recordings.turns, builtin)],
    agent: cast.agent,
    files: (granted) => openFiles(granted, { blobs: undo.blobs }),
    watch: undo.watch,
    shell: shellLike(header, dirname(findJournal(args))),
    platform: process.platform,
    project: () => project(header.folder),
  })
  try {
    const alike = await runTurns(engine, cast, { args, folder, names })
    return differences === 0 && alike ? exitCodes.done : exitCodes.failed
  } finally {
    await engine.close()
    await rm(data, { recursive: true, force: true })
  }
}

/** Confined where that works, whatever was recorded; but agents are told only what they were told then. */
function shellLike({ settings }: RecordingHeader, data: string): Shell {
  const shell = openShell({ sandbox: 'auto', network: false, ours: [data] })
  if (settings.tools.some(({ confinable }) => confinable)) return shell
  return { confines: false, run: (request) => shell.run(request) }
}

/** Who speaks in which turn of the replay. */
class Cast {
  readonly #recordings: Recordings
  readonly #options: ReplayOptions
  readonly #models = new Map<TurnId, { model: Model; recording: Recording }>()
  #current: Recording | undefined

  constructor(recordings: Recordings, options: ReplayOptions) {
    this.#recordings = recordings
    this.#options = options
  }

  get turns(): Recording[] {
    return this.#recordings.turns
  }

  /** The turn that is replayed next. */
  begin(recording: Recording): void {
    this.#current = recording
  }

  readonly agent: EngineParts['agent'] = async (id, { turn_id, parent }) => {
    const recording = parent ? this.#child(turn_id, parent.turn_id) : this.#current
    if (!recording) throw new Error(`${turn_id} was not recorded`)
    let known = this.#models.get(turn_id)
    if (!known) {
      this.#options.names.addTurn(recording.header.turn_id, turn_id)
      known = { model: replayModel(recording, this.#options), recording }
      this.#models.set(turn_id, known)
    }
    const { system_message } = recording.header
    return { id, model: known.model, ...(system_message !== undefined && { system_message }) }
  }

  /** A sub-agent's turn is named after the turn that started it. */
  #child(turn: TurnId, parent: TurnId): Recording | undefined {
    const recorded = this.#models.get(parent)?.recording.header.turn_id
    return recorded && this.#recordings.find(`${recorded}${turn.slice(parent.length)}` as TurnId)
  }
}

interface Stage {
  args: Args
  folder: string
  names: Names
}

/** Returns whether every turn went as recorded, as far as its model can tell. */
async function runTurns(engine: Engine, cast: Cast, { args, folder, names }: Stage): Promise<boolean> {
  const chat_id = engine.newChatId()
  let alike = true
  for (const [index, recording] of cast.turns.entries()) {
    const { agent_id, prompt: text, settings: recorded, turn_id, chat_id: recordedChat } = recording.header
    const { mode: agent_mode, tools: _, grants: __, plan: ___, ...settings } = recorded
    cast.begin(recording)
    const show = showEvents(engine, chat_id, args, await recordedAnswers(args, turn_id))
    if (index === 0) {
      names.add(recordedChat, chat_id)
      await must(engine, { type: 'create_chat', chat_id, folder, title: text.slice(0, 80), agent_mode })
    } else if ((await engine.open(chat_id)).config.agent_mode !== agent_mode)
      await must(engine, { type: 'set_agent_mode', chat_id, agent_mode })
    await must(engine, { type: 'send_message', chat_id, text, agent_id, settings })
    const { open_turn, turns } = await engine.open(chat_id)
    const turn = open_turn?.turn_id ?? turns?.last
    if (!turn || !isTurnId(turn)) throw new Error('no turn began')
    await engine.whenIdle(chat_id)
    await show.end()
    const state = await engine.turn(turn)
    if (state.failure?.kind === 'input') alike = false
    const result = runResult(state, folder, { verbose: args.has('verbose') })
    const plain = args.value('output-format') === 'text'
    await writeOut(plain ? neutralize(`${result.final_answer}\n`) : `${safeJson(result)}\n`)
  }
  return alike
}

/** Prints what happens, and answers what waits for a person: as they did then, or by policy. */
function showEvents(
  engine: Engine,
  chat_id: ChatId,
  args: Args,
  recorded: PendingAnswer[],
): { end: () => Promise<void> } {
  const prints = (args.value('output-format') ?? 'stream-json') === 'stream-json'
  const policy = (args.value('on-pending') ?? 'approve') as OnPending
  const subscription = engine.subscribe()
  const listening = (async () => {
    for await (const envelope of subscription) {
      if (prints) await writeOut(`${safeJson(envelope)}\n`)
      const { stream, event } = envelope
      if (event.type !== 'pending.opened') continue
      const [turn_id, { id: pending_id }] = [stream as TurnId, event.pending]
      // The answers are those of the chat's own turn; a sub-agent's turn has a longer name.
      const known = turn_id.includes('-') ? undefined : recorded.shift()
      const answer = known ?? answerByPolicy(event.pending, policy)
      if (answer) await engine.execute({ type: 'answer_pending', turn_id, pending_id, answer, by: 'replay' })
      else await engine.execute({ type: 'interrupt', chat_id })
    }
  })()
  return {
    async end() {
      subscription.close()
      await listening
    },
  }
}

/** What people answered when it was recorded, where the chat is still there. */
async function recordedAnswers(args: Args, turn: TurnId): Promise<PendingAnswer[]> {
  const path = findJournal(args)
  if (!existsSync(path)) return []
  const { openSqliteJournal } = await import('../../adapters/journal/sqlite-journal.ts')
  const journal = await openSqliteJournal({ path })
  try {
    return (await journal.read(turn)).flatMap(({ event }) => {
      if (event.type !== 'pending.answered') return []
      const { answer } = event
      // What is approved is the same call in another folder, so its hash is another.
      return [answer.kind === 'tool_approval' ? { ...answer, hash: undefined } : answer]
    })
  } finally {
    await journal.close()
  }
}

async function must(engine: Engine, command: Parameters<Engine['execute']>[0]): Promise<void> {
  const result = await engine.execute(command)
  if (!result.accepted) throw new Exit(exitCodes.failed, `the replay cannot go on: ${result.reason}`)
}
