import type {
  Compaction,
  CompactionOrder,
  CompactionSettings,
  KeptFacts,
  KeptPlan,
  RunReference,
} from '../../schema/compaction.ts'
import type { SessionEvent } from '../../schema/session-event.ts'
import type { Usage } from '../../schema/usage.ts'
import { type Rejected, reject } from '../aggregate.ts'
import { itemsFrom, lengthOf, toArray } from '../list.ts'
import { type ChatPlan, type SessionState, isBusy } from './state.ts'

/** How long the conversation is before a new turn, in estimated tokens. */
export interface Measured {
  tokens: number
  /** Of that, what would be summarised. */
  old_tokens: number
}

export type CompactionInput =
  /** A person asks for it. */
  | { type: 'compact'; agent_id: string; preserve_recent: number; measured: Measured }
  | {
      type: 'compacted'
      through: string
      summary: string
      runs: readonly RunReference[]
      tokens_after: number
      usage: Usage
    }
  | { type: 'compaction_failed'; through: string; reason: string }
  | { type: 'stop_compaction' }

/** Attempts that failed, or did not bring a chat below its threshold, before no more are made. */
const MOST_ATTEMPTS = 2
/** What a summary and the facts kept beside it take, roughly. */
const SUMMARY_TOKENS = 2_000

/** The request to summarise that belongs before a new turn, if one does. */
export function dueCompaction(
  state: SessionState,
  agent_id: string,
  measured: (Measured & { settings: CompactionSettings }) | undefined,
): SessionEvent[] {
  if (!measured?.settings.enabled || state.compacting) return []
  const { tokens, old_tokens, settings } = measured
  const { threshold_tokens, preserve_recent } = settings
  if (tokens <= threshold_tokens) return []
  const order = orderOf(state, { agent_id, preserve_recent, measured })
  if (!order) return []
  const { failed, futile } = state.compaction_attempts
  const helps = tokens - old_tokens + SUMMARY_TOKENS <= threshold_tokens
  if (failed >= MOST_ATTEMPTS || (futile >= MOST_ATTEMPTS && !helps)) return []
  return [{ type: 'session.compaction_requested', ...order, threshold_tokens }]
}

export function decideCompaction(state: SessionState, input: CompactionInput): SessionEvent[] | Rejected {
  switch (input.type) {
    case 'compact': {
      if (state.compacting) return reject('the chat is being summarised already')
      if (isBusy(state)) return reject('the agent is still working; interrupt it or wait')
      const order = orderOf(state, input)
      if (order) return [{ type: 'session.compaction_requested', ...order }]
      const recent = lengthOf(state.turns) - (state.compaction?.exchanges ?? 0)
      return reject(
        `there is nothing to summarise: the chat has ${recent} exchanges that are not summarised yet, and the last ${input.preserve_recent} stay as they are`,
      )
    }
    case 'compacted':
      return compact(state, input)
    case 'compaction_failed':
      if (state.compacting?.through !== input.through) return []
      return [failure(state, input.reason, 'failed')]
    case 'stop_compaction':
      if (!state.compacting) return []
      return [{ type: 'session.compaction_failed', reason: 'interrupted' }]
  }
}

/** What is carried beside a summary, from what the chat is now. */
export function keptFacts(state: SessionState, runs: readonly RunReference[]): KeptFacts {
  const { plan, noted } = state
  const earlier = state.compaction?.kept.runs ?? []
  const known = new Set(runs.map(({ run_id }) => run_id))
  return {
    agent_mode: state.config.agent_mode,
    ...(plan && plan.status !== 'rejected' && { plan: keptPlan(plan) }),
    pendings:
      noted.length === 0
        ? []
        : toArray(state.messages).flatMap(({ pending_id, text }) =>
            pending_id !== undefined && noted.includes(pending_id) ? [{ id: pending_id, text }] : [],
          ),
    runs: [...earlier.filter(({ run_id }) => !known.has(run_id)), ...runs],
  }
}

function orderOf(
  state: SessionState,
  wanted: { agent_id: string; preserve_recent: number; measured: Measured },
): CompactionOrder | undefined {
  const exchanges = lengthOf(state.turns) - wanted.preserve_recent
  if (exchanges <= (state.compaction?.exchanges ?? 0) || wanted.measured.old_tokens === 0) return undefined
  const [through] = itemsFrom(state.turns, exchanges - 1)
  if (through === undefined) return undefined
  return { agent_id: wanted.agent_id, through, exchanges, tokens_before: wanted.measured.tokens }
}

function compact(
  state: SessionState,
  { through, summary, runs, tokens_after, usage }: Extract<CompactionInput, { type: 'compacted' }>,
): SessionEvent[] {
  const order = state.compacting
  if (order?.through !== through) return []
  if (tokens_after >= order.tokens_before) {
    const sizes = `about ${tokens_after} tokens instead of ${order.tokens_before}`
    return [failure(state, `the summary made the conversation no shorter (${sizes})`, 'futile')]
  }
  const compaction: Compaction = { ...order, summary, kept: keptFacts(state, runs), tokens_after, usage }
  const compacted: SessionEvent = { type: 'session.compacted', ...compaction }
  const { threshold_tokens = Infinity } = order
  if (tokens_after <= threshold_tokens || state.compaction_attempts.futile + 1 < MOST_ATTEMPTS)
    return [compacted]
  return [
    compacted,
    {
      type: 'session.compaction_failed',
      reason: `the chat was summarised ${MOST_ATTEMPTS} times and still has about ${tokens_after} tokens, over the threshold_tokens of ${threshold_tokens}: its last exchanges alone are that long. It is left as it is until summarising helps; lower preserve_recent, raise threshold_tokens, or begin a new chat`,
    },
  ]
}

function failure(state: SessionState, reason: string, kind: 'failed' | 'futile'): SessionEvent {
  const stops = state.compaction_attempts[kind] + 1 >= MOST_ATTEMPTS
  const last = `${reason}. That was attempt ${MOST_ATTEMPTS}, so it is not tried again by itself; ask for it with /compact, or begin a new chat`
  return { type: 'session.compaction_failed', reason: stops ? last : reason, kind }
}

function keptPlan({ plan_id, revision, status, directory, plan, steps, approvals }: ChatPlan): KeptPlan {
  const approval = approvals.at(-1)
  return {
    ...{ plan_id, revision, status, directory, plan, steps: [...steps] },
    ...(approval?.additions !== undefined && { additions: approval.additions }),
    ...(approval && approval.reviews.length > 0 && { reviews: [...approval.reviews] }),
  }
}
