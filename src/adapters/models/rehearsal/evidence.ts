import type { ModelMessage, ModelRequest } from '../../../ports/model.ts'
import { type Intent, parseIntent } from './intent.ts'
import { type Scope, narrow, scopeIn } from './scope.ts'
import { wordsOf } from './words.ts'

/** One call of the current task and what came of it. */
export interface Fact {
  tool: string
  input: Record<string, unknown>
  output: string
  success: boolean
}

/** What the conversation so far says about the work at hand. Everything the planner knows is in here. */
export interface Evidence {
  intent: Intent
  /** Finished calls since the task was given, in the order of their results. */
  facts: Fact[]
  corrections: Correction[]
  /** Names of the tools offered now. */
  offered: ReadonlySet<string>
  /** Calls made in the whole conversation: they number the next one. */
  callCount: number
  /** The last message asks for a verdict instead of work. */
  reflecting: boolean
}

export interface Correction {
  text: string
  understood: boolean
}

const CORRECTION = 'Correction from the person:'
const REFLECT = 'Reflect:'

/** Folds the messages: each prompt begins a task or continues the one before it, corrections narrow it. */
export function readEvidence({ messages, tools }: ModelRequest): Evidence {
  const evidence: Evidence = {
    intent: { kind: 'unknown' },
    facts: [],
    corrections: [],
    offered: new Set(tools.map(({ name }) => name)),
    callCount: 0,
    reflecting: isReflection(messages.at(-1)),
  }
  const open = new Map<string, { tool: string; input: Record<string, unknown> }>()
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        if (!isReflection(message)) takePrompt(evidence, message.text)
        break
      case 'assistant':
        evidence.callCount += message.calls.length
        for (const { id, name, input } of message.calls) open.set(id, { tool: name, input })
        break
      case 'tool': {
        const call = open.get(message.call_id)
        if (call) evidence.facts.push({ ...call, output: message.output, success: message.success })
        open.delete(message.call_id)
      }
    }
  }
  // A request for a verdict may come without tools; what was used is what there is.
  if (tools.length === 0) evidence.offered = new Set(evidence.facts.map(({ tool }) => tool))
  return evidence
}

const isReflection = (message: ModelMessage | undefined): boolean =>
  message?.role === 'user' && message.text.trimStart().startsWith(REFLECT)

function takePrompt(evidence: Evidence, text: string): void {
  const trimmed = text.trimStart()
  if (trimmed.startsWith(CORRECTION)) {
    takeCorrection(evidence, trimmed.slice(CORRECTION.length))
    return
  }
  const intent = parseIntent(text)
  const before = evidence.intent
  const refined = intent.kind === 'unknown' ? adjust(before, text) : undefined
  if (intent.kind === 'again' && before.kind === 'rename' && hasWritten(evidence)) {
    evidence.intent = { ...before, force: true }
  } else if (refined) {
    evidence.intent = refined
  } else if (intent.kind !== 'again') {
    evidence.intent = intent
    evidence.corrections = []
  }
  evidence.facts = []
}

function takeCorrection(evidence: Evidence, text: string): void {
  const words = text.replace(/\nChange your plan accordingly\.\s*$/, '').trim()
  const adjusted = adjust(evidence.intent, words, { mayRetarget: !hasWritten(evidence) })
  if (adjusted) evidence.intent = adjusted
  evidence.corrections.push({ text: words, understood: adjusted !== undefined })
}

/** The intent as a remark changes it; undefined when the remark says nothing we can use. */
function adjust(
  intent: Intent,
  remark: string,
  { mayRetarget } = { mayRetarget: false },
): Intent | undefined {
  if (intent.kind !== 'rename' && intent.kind !== 'usages') return undefined
  const scope = scopeIn(wordsOf(remark))
  const narrows = scope.only.length > 0 || scope.skip.length > 0
  const narrowed: Scope = narrow(intent.scope, scope)
  if (intent.kind === 'usages') return narrows ? { ...intent, scope: narrowed } : undefined
  const force =
    intent.force || /\b(?:anyway|regardless|go ahead|do it|merge|yes|proceed|fine)\b/i.test(remark)
  const target = mayRetarget
    ? /\b(?:call|name|rename) (?:it|them) (?:to )?[`"']?([\p{L}_$][\p{L}\p{N}_$-]*)/iu.exec(remark)?.[1]
    : undefined
  if (!narrows && force === intent.force && target === undefined) return undefined
  return { ...intent, scope: narrowed, force, to: target ?? intent.to }
}

const writers = new Set(['update_file', 'create_file', 'delete_file'])
export const isWrite = (fact: Fact): boolean => writers.has(fact.tool)

const hasWritten = ({ facts }: Evidence): boolean => facts.some((fact) => isWrite(fact) && fact.success)
