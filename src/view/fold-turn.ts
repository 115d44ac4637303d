import { evolve } from '../core/turn/evolve.ts'
import { type TurnState, initialTurn } from '../core/turn/state.ts'
import type { Envelope } from '../schema/envelope.ts'
import type { Observation } from '../schema/observation.ts'
import type { TurnEvent } from '../schema/turn-event.ts'
import { type OpenItem, cutOpenItems, foldCalls } from './fold-calls.ts'
import { appendItem, changeItem, keepDraft, lastItem } from './section-edits.ts'
import { itemBase, summarizeInput } from './tool-card.ts'
import { getAt } from './sequence.ts'
import { spokenText } from './spoken-text.ts'
import type { Section } from './transcript.ts'
import type { AgentMessage, GuidanceItem, Notice, ObservationItem, PhaseItem } from './transcript-item.ts'

/** A turn while its log is read. */
export interface TurnFold {
  /** What core makes of the log; without the conversation once the turn is over. */
  state: TurnState
  /** Cards and questions that are not settled, with where they are in the section. */
  open: readonly OpenItem[]
  parent?: Extract<TurnEvent, { type: 'turn.started' }>['parent']
  started_at: string
}

export const initialTurnFold: TurnFold = { state: initialTurn, open: [], started_at: '' }

/** Takes one event of a turn into its section. */
export function foldTurn(
  fold: TurnFold,
  section: Section,
  envelope: Envelope<TurnEvent>,
): { fold: TurnFold; section: Section } {
  const { event } = envelope
  const called = foldCalls(fold, section, envelope)
  if (event.type === 'turn.started') {
    const { parent } = event
    const begun = { ...keepDraft(section), loaded: true }
    const head = parent ? [{ ...itemBase(envelope), kind: 'user_message', text: event.prompt } as const] : []
    return {
      fold: { ...fold, state: evolve(fold.state, event), started_at: envelope.at, ...(parent && { parent }) },
      section: head.length > 0 ? { ...begun, head } : begun,
    }
  }
  const state = evolve(fold.state, event)
  const next = called ?? { open: fold.open, section: tell(fold, section, envelope) }
  if (event.type !== 'turn.finished')
    return { fold: { ...fold, state, open: next.open }, section: next.section }
  return {
    fold: { ...fold, state: { ...state, entries: null, observations: null }, open: [] },
    section: cutOpenItems(fold.open, finish(fold, next.section, envelope)),
  }
}

/** What is told beside the calls. */
function tell({ state }: TurnFold, section: Section, envelope: Envelope<TurnEvent>): Section {
  const { event } = envelope
  const base = itemBase(envelope, state.agent_id)
  const note = (text: string, tone: Notice['tone'] = 'info'): Section =>
    appendItem(section, { ...base, kind: 'notice', tone, text })
  switch (event.type) {
    case 'phase.entered':
      return enterPhase(section, event, base)
    case 'model.replied': {
      const { text, reasoning, calls } = event.reply
      if (event.purpose === 'reflect' || !text.trim()) return section
      const said: AgentMessage = {
        ...base,
        kind: 'agent_message',
        message_type: 'Text',
        text: spokenText(text),
        ...(reasoning && { reasoning }),
      }
      return calls.length > 0 ? appendItem(section, said) : { ...keepDraft(section), draft: said }
    }
    case 'observation.recorded':
      return observe(section, event.observation, base)
    case 'guardrail.tripped': {
      const { guardrail, detail } = event
      return appendItem(section, { ...base, kind: 'guardrail', guardrail, detail })
    }
    case 'reflection.recorded': {
      if (event.by === 'rule') return section
      const detail = `${event.verdict}: ${event.reason}`
      return showPhase(section, {
        ...base,
        kind: 'phase',
        phase: 'Reflecting',
        iteration: state.iteration,
        detail,
      })
    }
    case 'guidance.given':
      return appendItem(section, { ...base, kind: 'guidance', text: event.text, taken: false })
    case 'update.received':
      return appendItem(section, { ...base, kind: 'injected_update', labels: [], text: event.text })
    case 'context.compacted':
      return note('the conversation so far was summarised, so that it fits')
    case 'context.trimmed':
      return note('long results from earlier are shown to the model shortened from here on')
    case 'limit.extended':
      return note(`goes on for up to ${event.iterations} more iterations`)
    case 'permission.granted':
      return note(
        `allowed for the rest of this chat: ${event.grants.map(({ resource }) => resource).join(', ')}`,
      )
    case 'turn.started':
    case 'tool.called':
    case 'tool.finished':
    case 'external.authorized':
    case 'external.finished':
    case 'subtasks.planned':
    case 'subtask.started':
    case 'subtask.finished':
    case 'run.launched':
    case 'compaction.requested':
    case 'reflection.requested':
    case 'pending.opened':
    case 'pending.answered':
    case 'plan.step_changed':
    case 'turn.finished':
      return section
  }
}

type EventOf<T extends TurnEvent['type']> = Extract<TurnEvent, { type: T }>

/** Observing is told by what was observed, the end by how the turn ended. */
function enterPhase(
  section: Section,
  { phase, iteration, guidance }: EventOf<'phase.entered'>,
  base: ReturnType<typeof itemBase>,
): Section {
  const told = guidance?.length ? takeGuidance(section) : section
  if (phase !== 'Planning' && phase !== 'Acting') return told
  return showPhase(phase === 'Planning' ? keepDraft(told) : told, {
    ...base,
    kind: 'phase',
    phase,
    iteration,
  })
}

/** A phase in which nothing happened makes room for the next. */
function showPhase(section: Section, item: PhaseItem): Section {
  const last = lastItem(section)
  if (last?.kind !== 'phase' || last.stream !== item.stream || last.detail) return appendItem(section, item)
  const { phase, iteration, detail } = item
  return changeItem<PhaseItem>(section, section.body.length - 1, { phase, iteration, detail })
}

function observe(section: Section, observation: Observation, base: ReturnType<typeof itemBase>): Section {
  const { call_id, tool, success, duration_ms, input } = observation
  const result = { call_id, tool, success, duration_ms, summary: summarizeInput({ input }) }
  const last = lastItem(section)
  if (last?.kind !== 'observation' || last.stream !== base.stream) {
    return appendItem(section, { ...base, kind: 'observation', results: [result] })
  }
  return changeItem<ObservationItem>(section, section.body.length - 1, { results: [...last.results, result] })
}

/** Words wait only since the last Planning, so the way back is short. */
function takeGuidance(section: Section): Section {
  let told = section
  for (let index = section.body.length - 1, left = 200; index >= 0 && left > 0; index--, left--) {
    const item = getAt(told.body, index)
    if (item?.kind === 'phase' && item.phase === 'Planning') break
    if (item?.kind === 'guidance' && !item.taken)
      told = changeItem<GuidanceItem>(told, index, { taken: true })
  }
  return told
}

function finish({ state, parent }: TurnFold, section: Section, envelope: Envelope<TurnEvent>): Section {
  const { event } = envelope
  if (event.type !== 'turn.finished') return section
  const { outcome, failure } = event
  const base = itemBase(envelope, state.agent_id)
  const ended = endNotice(outcome, failure)
  const told = ended ? appendItem(section, { ...base, kind: 'notice', ...ended }) : section
  const isChats = !parent && !state.settings.team
  if (!isChats || state.files.length === 0) return told
  const foot = { ...base, id: `${base.id}:files`, kind: 'written_files', files: state.files } as const
  return { ...told, foot: [...told.foot, foot] }
}

function endNotice(
  outcome: EventOf<'turn.finished'>['outcome'],
  failure: EventOf<'turn.finished'>['failure'],
): Pick<Notice, 'tone' | 'text' | 'hint'> | undefined {
  if (failure) {
    const { message: text, hint } = failure
    return { tone: outcome === 'limit' ? 'warning' : 'error', text, ...(hint && { hint }) }
  }
  return outcome === 'cancelled' ? { tone: 'warning', text: 'interrupted' } : undefined
}
