import { parseFileIntent } from './intent-file.ts'
import { parseGreeting, parseSummary, parseUsages } from './intent-question.ts'
import { parseRename } from './intent-rename.ts'
import type { Scope } from './scope.ts'
import { type Word, wordsOf } from './words.ts'

/** What a prompt asks for, as far as the planner understands it. */
export type Intent =
  | { kind: 'rename'; from: string; to: string; scope: Scope; force: boolean }
  | { kind: 'usages'; name: string; scope: Scope }
  | { kind: 'create'; path: string; content: string }
  | { kind: 'replace'; path: string; old_text: string; new_text: string }
  | { kind: 'add'; path: string; text: string; at: 'start' | 'end' }
  | { kind: 'delete'; path: string }
  | { kind: 'summary'; path: string }
  | { kind: 'greeting' }
  /** "Go on", "execute the plan": the work asked for before. */
  | { kind: 'again' }
  | { kind: 'unknown' }

export type RenameIntent = Extract<Intent, { kind: 'rename' }>
export type UsagesIntent = Extract<Intent, { kind: 'usages' }>
export type FileIntent = Extract<Intent, { kind: 'create' | 'replace' | 'add' | 'delete' }>

export interface Prompt {
  text: string
  words: Word[]
}

/** Orders for one file come first: what they tell us to write may read like any other order. */
export function parseIntent(text: string): Intent {
  const prompt = withoutPoliteness(text)
  const goal = goalOfPlan(text)
  if (goal !== undefined && goal !== text) return parseIntent(goal)
  return (
    parseFileIntent(prompt) ??
    parseRename(prompt) ??
    parseUsages(prompt) ??
    parseSummary(prompt) ??
    parseAgain(prompt) ??
    parseGreeting(prompt) ?? { kind: 'unknown' }
  )
}

const politeness =
  /^(?:\s|[,.:!-]|please\b|pls\b|hi\b|hello\b|hey\b|ok(?:ay)?\b|now\b|then\b|next\b|also\b|just\b|conclave\b|there\b|(?:can|could|would|will) you\b|i(?:'d| would) like (?:you )?to\b|i (?:want|need) (?:you )?to\b|go ahead and\b|let'?s\b|kindly\b|help me(?: to)?\b)+/i

function withoutPoliteness(text: string): Prompt {
  const rest = text.replace(politeness, '')
  const kept = rest === '' ? text.trim() : rest
  return { text: kept, words: wordsOf(kept.slice(0, 4_000)) }
}

/** A plan handed over for execution says what it is for. */
function goalOfPlan(text: string): string | undefined {
  const found = /"goal"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  if (found === undefined || !text.includes('"steps"')) return undefined
  try {
    return String(JSON.parse(found))
  } catch {
    return undefined
  }
}

const goOn =
  /^(?:yes\b[,.! ]*)?(?:(?:please )?(?:continue|go on|go ahead|proceed|resume|carry on|keep going|try again|retry|do it|execute|run it|carry it out|implement it|finish)\b.{0,60}|(?:execute|carry out|run|implement|follow|do|approve) (?:the|this|that|my|your) (?:approved )?plan\b.*)$/i

function parseAgain({ text }: Prompt): Intent | undefined {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length <= 200 && goOn.test(line) ? { kind: 'again' } : undefined
}
