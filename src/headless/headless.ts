import type { Engine } from '../engine/engine.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { ChatId, TurnId } from '../schema/ids.ts'
import type { RunResult } from '../schema/run-result.ts'
import type { Command } from '../schema/command.ts'
import type { Failure } from '../schema/failure.ts'
import { neutralize, safeJson } from '../view/neutralize.ts'
import { progressLine } from '../view/progress.ts'
import { runResult } from '../view/run-result.ts'
import { type OnPending, answerByPolicy } from './answer-policy.ts'

export interface HeadlessOptions {
  chat_id: ChatId
  /** Absent: only finish what the chat left open. */
  message?: Omit<Extract<Command, { type: 'send_message' }>, 'type' | 'chat_id'>
  format: 'text' | 'json' | 'stream-json'
  on_pending: OnPending
  verbose: boolean
  timeout_s?: number
  out: (text: string) => void
  /** Where progress goes, if anywhere. */
  progress?: (text: string) => void
  /** Aborted when the person wants to stop. */
  signal: AbortSignal
}

export interface HeadlessEnd {
  result: RunResult
  failure?: Failure
}

/** Runs one message of a chat to its end and prints what the format asks for. Never waits for a person. */
export async function runHeadless(engine: Engine, options: HeadlessOptions): Promise<HeadlessEnd> {
  const { chat_id, message, out } = options
  const stuck = Promise.withResolvers<void>()
  const subscription = engine.subscribe()
  const listening = listen(engine, subscription, options, stuck.resolve)
  const interrupt = (limit?: string) => void engine.execute({ type: 'interrupt', chat_id, limit })
  const onAbort = () => interrupt()
  options.signal.addEventListener('abort', onAbort, { once: true })
  const { timeout_s } = options
  const timer = timeout_s && setTimeout(() => interrupt(`${timeout_s} s (--timeout)`), timeout_s * 1000)
  try {
    const before = await engine.open(chat_id)
    let turn = before.open_turn?.turn_id
    if (turn) await Promise.race([engine.whenIdle(chat_id), stuck.promise])
    if (message && !options.signal.aborted) {
      const sent = await engine.execute({ type: 'send_message', chat_id, ...message })
      if (!sent.accepted) throw new Error(sent.reason)
      turn = (await engine.open(chat_id)).open_turn?.turn_id
      await Promise.race([engine.whenIdle(chat_id), stuck.promise])
    }
    if (!turn) throw new Error(`${chat_id} has nothing to go on with`)
    const state = await engine.turn(turn)
    const result = runResult(state, before.folder, { verbose: options.verbose })
    subscription.close()
    await listening
    if (options.format === 'text') out(neutralize(`${result.final_answer}\n`))
    else out(`${safeJson(result)}\n`)
    return { result, failure: state.failure }
  } finally {
    if (timer) clearTimeout(timer)
    options.signal.removeEventListener('abort', onAbort)
    subscription.close()
  }
}

async function listen(
  engine: Engine,
  envelopes: AsyncIterable<Envelope>,
  { format, on_pending, out, progress }: HeadlessOptions,
  stuck: () => void,
): Promise<void> {
  for await (const envelope of envelopes) {
    if (format === 'stream-json') out(`${safeJson(envelope)}\n`)
    const line = progress && progressLine(envelope)
    if (line) progress(neutralize(`${line}\n`))
    if (envelope.event.type !== 'pending.opened') continue
    const { pending } = envelope.event
    const answer = answerByPolicy(pending, on_pending)
    const turn_id = envelope.stream as TurnId
    if (answer)
      void engine.execute({ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'headless' })
    else stuck()
  }
}
