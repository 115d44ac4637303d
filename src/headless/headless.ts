import { planMarkdown } from '../core/plan/plan-markdown.ts'
import type { ChatPlan, SessionState } from '../core/session/state.ts'
import type { Engine } from '../engine/engine.ts'
import type { Subscription } from '../engine/hub.ts'
import type { Command } from '../schema/command.ts'
import type { Failure } from '../schema/failure.ts'
import { type ChatId, type RunId, type TurnId, isRunId } from '../schema/ids.ts'
import type { Pending, PendingAnswer } from '../schema/pending.ts'
import type { RunResult } from '../schema/run-result.ts'
import { neutralize, safeJson } from '../view/neutralize.ts'
import { progressLine } from '../view/progress.ts'
import { runResult } from '../view/run-result.ts'
import { teamAnswer, teamResult } from '../view/team-result.ts'
import { type OnPending, answerByPolicy } from './answer-policy.ts'

export interface HeadlessOptions {
  chat_id: ChatId
  /** Absent: only finish what the chat left open. */
  message?: Omit<Extract<Command, { type: 'send_message' }>, 'type' | 'chat_id'>
  /** The message goes to a team. */
  run?: Omit<Extract<Command, { type: 'start_run' }>, 'type' | 'chat_id'>
  /** Who presents, whatever the vote says. */
  override?: string
  /** Instead of a message: the chat's plan is carried out. */
  execute?: Omit<Extract<Command, { type: 'execute_plan' }>, 'type' | 'chat_id'>
  /** Made before the chat was created or opened, so that no event is missed. */
  subscription: Subscription
  format: 'text' | 'json' | 'stream-json'
  on_pending: OnPending
  /** What the person has already said to one of them; the policy answers the others. */
  answer?: (pending: Pending) => PendingAnswer | undefined
  verbose: boolean
  timeout_s?: number
  /** Who set that limit, if not `--timeout`. */
  timeout_name?: string
  /** A promise lasts as long as the reader does not keep up. */
  out: (text: string) => void | Promise<void>
  /** Where progress goes, if anywhere. */
  progress?: (text: string) => void
  /** Told what a person should know about the stored chat. */
  warn?: (text: string) => void
  /** Aborted when the person wants to stop. */
  signal: AbortSignal
}

export interface HeadlessEnd {
  result: RunResult
  failure?: Failure
  /** The message was not sent, because the turn before it did not come to its own end. */
  unsent: boolean
}

/** The engine did not take the message or the plan. */
export class CommandRefused extends Error {}

/** A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Runs one message of a chat to its end and prints what the format asks for. Never waits for a person. */
export async function runHeadless(engine: Engine, options: HeadlessOptions): Promise<HeadlessEnd> {
  const { chat_id, subscription, out, signal, timeout_s, timeout_name = '--timeout' } = options
  const command = commandOf(options)
  const stuck = Promise.withResolvers<Pending>()
  // It may fail before anything waits for it.
  stuck.promise.catch(() => undefined)
  const answer: Answer = (turn, pending) =>
    void answerPending(engine, options, turn, pending).then(
      (answered) => answered || stuck.resolve(pending),
      stuck.reject,
    )
  const listening = listen(options, answer)
  listening.catch(stuck.reject)
  let stopped: { limit?: string } | undefined
  const stop = (limit?: string) => {
    stopped ??= { limit }
    // Refused when nothing is under way; a journal that fails also ends the wait for the turn.
    engine.execute({ type: 'interrupt', chat_id, ...stopped }).catch(() => undefined)
  }
  const onAbort = () => stop()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const timer =
    timeout_s &&
    setTimeout(() => stop(`${timeout_s} s (${timeout_name})`), Math.min(timeout_s * 1000, LONGEST_TIMER_MS))
  const settle = (): Promise<Pending | undefined> =>
    Promise.race([engine.whenIdle(chat_id).then(() => undefined), stuck.promise])
  try {
    const { folder, warning, ...opened } = await engine.open(chat_id)
    if (warning) options.warn?.(warning)
    let work = workOf(opened)
    if (work) await answerOpen(engine, work, answer)
    let waiting = work && (await settle())
    const unsent = command !== undefined && work !== undefined && Boolean(waiting ?? stopped)
    if (command && !unsent) {
      const sent = await engine.execute(command)
      if (!sent.accepted) throw new CommandRefused(sent.reason)
      work = workOf(await engine.open(chat_id))
      // What came before there was a turn had nothing to interrupt.
      if (stopped) stop()
      waiting = await settle()
    }
    if (!work) throw new Error(`${chat_id} has nothing to go on with`)
    const end = await readEnd(engine, work, { folder, verbose: options.verbose, waiting })
    const unheeded = waiting ? undefined : describeUnheeded(end.result, options.override)
    if (unheeded) options.warn?.(unheeded)
    subscription.close()
    await listening
    const proposed = findProposal(await engine.open(chat_id), work)
    const result = { ...end.result, ...(proposed && { plan: resultPlan(proposed) }) }
    const text = proposed ? planMarkdown(proposed) : `${end.text}\n`
    await out(options.format === 'text' ? neutralize(text) : `${safeJson(result)}\n`)
    return { result, failure: end.failure, unsent }
  } finally {
    if (timer) clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    subscription.close()
  }
}

const workOf = ({ open_turn, open_run }: Pick<SessionState, 'open_turn' | 'open_run'>): Work | undefined =>
  open_turn?.turn_id ?? open_run?.run_id

/** What came of the turn or the run, and what a person reads of it. */
async function readEnd(
  engine: Engine,
  work: Work,
  { folder, verbose, waiting }: { folder: string; verbose: boolean; waiting: Pending | undefined },
): Promise<{ result: RunResult; text: string; failure?: Failure }> {
  if (isRunId(work)) {
    const run = await engine.run(work)
    const result = teamResult(run, { waiting })
    const text = run.finished ? teamAnswer(run) : result.final_answer
    return { result, text, failure: run.finished?.failure }
  }
  const turn = await engine.turn(work)
  const result = runResult(turn, folder, { verbose, waiting })
  return { result, text: result.final_answer, failure: turn.failure }
}

function commandOf({ chat_id, message, execute, run }: HeadlessOptions): Command | undefined {
  if (run) return { type: 'start_run', chat_id, ...run }
  if (execute) return { type: 'execute_plan', chat_id, ...execute }
  return message && { type: 'send_message', chat_id, ...message }
}

/** The plan that this work ended with, if it did. */
function findProposal({ plan, messages }: SessionState, work: Work): ChatPlan | undefined {
  const last = messages?.last
  return (last?.turn_id === work || last?.run_id === work) && last.message_type === 'Plan' && plan
    ? plan
    : undefined
}

const resultPlan = ({ plan_id, revision, directory, plan }: ChatPlan): RunResult['plan'] => ({
  plan_id,
  revision,
  directory,
  plan,
})

type Work = TurnId | RunId

type Answer = (work: Work, pending: Pending) => void

/** Whether it need not be waited for any longer: somebody else may have been faster. */
async function answerPending(
  engine: Engine,
  options: HeadlessOptions,
  turn_id: Work,
  pending: Pending,
): Promise<boolean> {
  const { id: pending_id } = pending
  const said = options.answer?.(pending)
  const answer =
    said ??
    answerByPolicy(pending, options.on_pending, options.override) ??
    (await leaveOut(engine, turn_id, pending))
  if (!answer) return false
  const by = said ? 'person' : 'headless'
  const command = { type: 'answer_pending', turn_id, pending_id, by } as const
  const result = await engine.execute({ ...command, answer })
  if (result.accepted || !(await pendingsOf(engine, turn_id)).some(({ id }) => id === pending_id)) return true
  if (said || pending.kind !== 'override') return false
  if (options.on_pending === 'fail') {
    options.warn?.(`--override: ${result.reason}`)
    return false
  }
  await engine.execute({ ...command, answer: { kind: 'override', decision: 'continue' } })
  return true
}

/** One of a team that does not know what to do keeps nobody from an answer: it is out, and the others go on. */
async function leaveOut(engine: Engine, work: Work, { kind }: Pending): Promise<PendingAnswer | undefined> {
  if (kind !== 'guidance' || isRunId(work)) return undefined
  const { team } = (await engine.turn(work)).settings
  return team && team.purpose !== 'present' ? { kind, decision: 'stop' } : undefined
}

/** Why another agent presented than the person had chosen. */
function describeUnheeded({ coordination_summary }: RunResult, chosen?: string): string | undefined {
  const { presenter, answers } = coordination_summary
  if (chosen === undefined || presenter === null || presenter === chosen) return undefined
  const why = answers.some(({ agent }) => agent === chosen)
    ? 'there was no vote to override'
    : `${chosen} has no answer to present`
  return `--override: ${why}; ${presenter} presents`
}

const pendingsOf = async (engine: Engine, work: Work): Promise<readonly Pending[]> =>
  (isRunId(work) ? await engine.run(work) : await engine.turn(work)).pendings

/** What an earlier process left waiting is not announced again. */
async function answerOpen(engine: Engine, turn: Work, answer: Answer): Promise<void> {
  if (isRunId(turn)) {
    const { pendings, agents } = await engine.run(turn)
    for (const pending of pendings) answer(turn, pending)
    for (const agent of agents) if (agent.turn) await answerOpen(engine, agent.turn.turn_id, answer)
    return
  }
  const { pendings, open } = await engine.turn(turn)
  for (const pending of pendings) answer(turn, pending)
  for (const { child, subtasks = [] } of open) {
    for (const id of [child, ...subtasks.map(({ turn_id }) => turn_id)]) {
      if (id) await answerOpen(engine, id, answer)
    }
  }
}

async function listen(
  { subscription, format, out, progress }: HeadlessOptions,
  answer: Answer,
): Promise<void> {
  const agents = new Map<string, string>()
  for await (const envelope of subscription) {
    if (envelope.event.type === 'agent.started') agents.set(envelope.event.turn_id, envelope.event.agent_id)
    if (envelope.event.type === 'pending.opened') answer(envelope.stream as Work, envelope.event.pending)
    if (format === 'stream-json') await out(`${safeJson(envelope)}\n`)
    const line = progress && progressLine(envelope)
    const agent = agents.get(envelope.stream)
    if (line) progress(neutralize(agent ? `${agent}: ${line.trim()}\n` : `${line}\n`))
  }
}
