import type { Pending, PendingAnswer } from '../../schema/pending.ts'
import { pendingCard } from '../../view/pending-card.ts'
import type { Style } from '../draw/theme.ts'
import type { Action } from '../state/action.ts'
import { hiddenParts } from './hidden-parts.ts'
import type { ScenePending } from './scene.ts'

/** What the card above the input says and offers; keys and clicks use the same. */
export interface CardModel {
  title: string
  note: string
  style: Style
  /** Must have been on the screen before anything is approved. */
  body: { text: string; style: Style }[]
  choices: CardChoice[]
  /** What a bare Enter takes; -1 when it takes nothing. */
  usual: number
  /** Words in the input answer it. */
  free_text: boolean
}

export interface CardChoice {
  key: string
  label: string
  description?: string
  action: Action
  /** Lets something happen: not before everything was seen. */
  approves: boolean
}

export function cardModel({ pending, stream, agent_id }: ScenePending): CardModel {
  const answer = (value: PendingAnswer): Action => ({
    type: 'answer',
    stream,
    pending_id: pending.id,
    answer: value,
  })
  switch (pending.kind) {
    case 'tool_approval':
      return approval(pending, agent_id, answer)
    case 'question':
    case 'guidance': {
      const card = pendingCard(pending)
      const choices = card.choices.map(({ value, label, description }, index) => ({
        key: String(index + 1),
        label,
        ...(description !== undefined && { description }),
        action: answer(choose(pending.kind, value)),
        approves: false,
      }))
      return {
        title: card.title,
        note: agent_id,
        style: accents[card.accent],
        body: card.lines.map((text, index) => ({ text, style: index === 0 ? 'text' : 'dim' })),
        choices,
        usual: card.choices.findIndex(({ value }) => value === card.default),
        free_text: true,
      }
    }
    case 'override':
      return {
        title: `Votes: ${pending.candidates.map(({ agent, votes }) => `${agent} ${votes}`).join(' · ')}`,
        note: `margin ${pending.margin}`,
        style: 'wait',
        body: [{ text: 'Press Ctrl+O to override, Enter to continue', style: 'wait' }],
        choices: [
          { key: 'o', label: 'Override', action: { type: 'open_pending' }, approves: false },
          {
            key: 'c',
            label: `Continue with ${pending.winner}`,
            action: answer({ kind: 'override', decision: 'continue' }),
            approves: false,
          },
        ],
        usual: 1,
        free_text: false,
      }
    case 'run_approval':
      return {
        title: 'Launch a run?',
        note: agent_id,
        style: 'wait',
        body: [{ text: pending.launch.task, style: 'text' }],
        choices: [{ key: 'o', label: 'Look at it', action: { type: 'open_pending' }, approves: false }],
        usual: 0,
        free_text: false,
      }
  }
}

export type Approval = Extract<Pending, { kind: 'tool_approval' }>

function approval(pending: Approval, agent: string, answer: (value: PendingAnswer) => Action): CardModel {
  const { call, hash, severity, reason, always, id } = pending
  const bytes = realBytes(call.input)
  const notes = (call.access ?? []).flatMap((access) => (access.kind === 'command' ? access.notes : []))
  const warnings = [...new Set([...notes, ...hiddenParts(bytes)])]
  const why = notes.length > 0 && reason === notes.join('; ') ? '' : reason
  const decide = (decision: 'once' | 'always' | 'deny') => answer({ kind: 'tool_approval', decision, hash })
  return {
    title: `${agent} wants to use ${call.name}`,
    note: severity,
    style: accents[severity === 'critical' ? 'red' : severity === 'major' ? 'amber' : 'grey'],
    body: [
      ...bytes.split('\n').map((text) => ({ text, style: 'text' as const })),
      ...warnings.map((text) => ({ text: `! ${text}`, style: 'error' as const })),
      ...(why ? [{ text: why, style: 'dim' as const }] : []),
    ],
    choices: [
      { key: 'y', label: 'once', action: decide('once'), approves: true },
      ...(always.length > 0
        ? [
            {
              key: 'a',
              label: `always ${always.map(({ resource }) => JSON.stringify(resource)).join(', ')} in this chat`,
              action: decide('always'),
              approves: true,
            },
          ]
        : []),
      { key: 'n', label: 'no', action: decide('deny'), approves: false },
      ...(pending.external
        ? []
        : [
            {
              key: 'e',
              label: 'edit',
              action: { type: 'edit_call', pending_id: id, text: bytes } as const,
              approves: false,
            },
          ]),
      {
        key: 'r',
        label: 'no, because …',
        action: { type: 'write_for_card', pending_id: id, what: 'reason' },
        approves: false,
      },
    ],
    // A bare Enter, meant for something else, must not let anything run.
    usual: -1,
    free_text: false,
  }
}

/** A refusal with what the person wrote about the call; undefined when they changed nothing. */
export function refuse(
  { call }: Approval,
  what: 'reason' | 'edit',
  text: string,
): Extract<PendingAnswer, { kind: 'tool_approval' }> | undefined {
  if (what === 'reason') return { kind: 'tool_approval', decision: 'deny', reason: text }
  if (text.trim() === realBytes(call.input).trim()) return undefined
  const kind = typeof call.input['command'] === 'string' ? 'command' : 'input'
  // The edited call is a new one: the agent makes it, and the person is asked about it like about any other.
  const reason = `The person changed it. Call ${call.name} with exactly this ${kind} instead:\n${text}`
  return { kind: 'tool_approval', decision: 'deny', reason }
}

function choose(kind: 'question' | 'guidance', value: string): PendingAnswer {
  if (kind === 'question') return { kind, value }
  return value === 'stop' ? { kind, decision: 'stop' } : { kind, decision: 'continue', text: '' }
}

/** What words in the input mean for a pending. */
export function answerInWords(pending: Pending, text: string): PendingAnswer | undefined {
  if (pending.kind === 'guidance') return { kind: 'guidance', decision: 'continue', text }
  if (pending.kind !== 'question') return undefined
  const chosen = pending.options.find(({ value, label }) => value === text || label === text)
  return chosen ? { kind: 'question', value: chosen.value } : { kind: 'question', value: text, text }
}

function realBytes(input: Record<string, unknown>): string {
  if (typeof input['command'] === 'string') return input['command']
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

const accents: Record<'red' | 'amber' | 'grey', Style> = { red: 'error', amber: 'wait', grey: 'dim' }
