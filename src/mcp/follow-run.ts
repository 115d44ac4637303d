import { linkedStream } from '../client/linked-streams.ts'
import type { RunState } from '../core/run/state.ts'
import type { RunMessageSettings } from '../schema/command.ts'
import type { Envelope } from '../schema/envelope.ts'
import { type ChatId, type RunId, type TurnId, isRunId } from '../schema/ids.ts'
import type { Pending, PendingAnswer } from '../schema/pending.ts'
import { neutralize } from '../view/neutralize.ts'
import { cardText, pendingCard } from '../view/pending-card.ts'
import { progressLine } from '../view/progress.ts'
import type { Caller, McpHost } from './mcp-host.ts'

interface Order {
  prompt: string
  settings: RunMessageSettings
  planning: boolean
}

export interface Followed {
  run: RunState
  /** What waited for a person and could not be answered. */
  unanswered?: string
}

const LONGEST_TITLE = 80

/** Starts a run in a chat of its own, tells the client how far it is, and waits for its end. */
export async function followRun(
  host: McpHost,
  { prompt, settings, planning }: Order,
  caller: Caller,
): Promise<Followed | { refused: string }> {
  const { engine, folder } = host
  const chat_id = engine.newChatId()
  const subscription = engine.subscribe()
  const stop = () => void engine.execute({ type: 'interrupt', chat_id }).catch(() => undefined)
  try {
    const title = prompt.split('\n', 1)[0]?.slice(0, LONGEST_TITLE) ?? ''
    const agent_mode = planning ? 'Plan' : 'Act'
    const created = await engine.execute({ type: 'create_chat', chat_id, folder, title, agent_mode })
    if (!created.accepted) return { refused: created.reason }
    const started = await engine.execute({ type: 'start_run', chat_id, text: prompt, settings })
    if (!started.accepted) return { refused: started.reason }
    const { open_run, turns } = await engine.open(chat_id)
    const run_id = open_run?.run_id ?? (turns?.last as RunId)
    caller.signal.addEventListener('abort', stop, { once: true })
    if (caller.signal.aborted) stop()
    let unanswered: string | undefined
    const onPending: OnPending = async (stream, pending) => {
      if (await answer(host, { stream, caller }, pending)) return
      unanswered ??= cardText({ ...pendingCard(pending), choices: [] })
      stop()
    }
    const listening = listen({ chat_id, envelopes: subscription, caller, onPending })
    await engine.whenIdle(chat_id)
    subscription.close()
    await listening
    return { run: await engine.run(run_id), ...(unanswered && { unanswered }) }
  } finally {
    caller.signal.removeEventListener('abort', stop)
    subscription.close()
  }
}

type OnPending = (stream: TurnId | RunId, pending: Pending) => Promise<void>

/** Every log of the run, as it is written. */
async function listen({
  chat_id,
  envelopes,
  caller,
  onPending,
}: {
  chat_id: ChatId
  envelopes: AsyncIterable<Envelope>
  caller: Caller
  onPending: OnPending
}): Promise<void> {
  const streams = new Set<string>([chat_id])
  for await (const envelope of envelopes) {
    if (!streams.has(envelope.stream)) continue
    const linked = linkedStream(envelope.event)
    if (linked) streams.add(linked)
    const line = progressLine(envelope)
    if (line && isRunId(envelope.stream as RunId)) caller.progress(neutralize(line.trim()))
    if (envelope.event.type === 'pending.opened')
      void onPending(envelope.stream as TurnId | RunId, envelope.event.pending)
  }
}

/** Whether there was an answer: nothing waits for nobody. */
async function answer(
  { engine, policy, readAnswer }: McpHost,
  { stream, caller }: { stream: TurnId | RunId; caller: Caller },
  pending: Pending,
): Promise<boolean> {
  const said = await askPerson(pending, caller, readAnswer)
  const given = said ?? policy(pending)
  if (!given) return false
  const command = { type: 'answer_pending', turn_id: stream, pending_id: pending.id, answer: given } as const
  return (await engine.execute({ ...command, by: said ? 'person' : 'mcp' })).accepted
}

/** The vote stands: nobody is asked about that in the middle of a call. */
async function askPerson(
  pending: Pending,
  { choose }: Caller,
  readAnswer: McpHost['readAnswer'],
): Promise<PendingAnswer | undefined> {
  if (!choose || pending.kind === 'override') return undefined
  const card = pendingCard(pending)
  const typed = await choose(cardText({ ...card, choices: [] }), card.choices)
  const read = typed === undefined ? undefined : readAnswer(pending, typed)
  return read && 'problem' in read ? undefined : read
}
