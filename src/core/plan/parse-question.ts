import type { Question, QuestionOption, Severity } from '../../schema/question.ts'
import { jsonObjectsIn } from '../json-in-text.ts'

const LONGEST = 4_000
const MOST_OPTIONS = 20
const severities: readonly Severity[] = ['critical', 'major', 'minor']

/** The question in an agent's reply, if it asks one in the agreed form. */
export function parseQuestion(text: string): Question | undefined {
  for (const value of jsonObjectsIn(text)) {
    if (value['type'] !== 'question') continue
    const question = readQuestion(value)
    if (question) return question
  }
  return undefined
}

/** A severity we do not know counts as major: better asked too loudly than overlooked. */
function readQuestion(value: Record<string, unknown>): Question | undefined {
  const question = readText(value['question'])
  if (!question) return undefined
  const given = Array.isArray(value['options']) ? value['options'].slice(0, MOST_OPTIONS) : []
  const options = given.flatMap((option) => readOption(option) ?? [])
  if (new Set(options.map((option) => option.value)).size !== options.length) return undefined
  const context = readText(value['context'])
  const fallback = options.find((option) => option.value === value['default'])?.value
  return {
    question,
    ...(context && { context }),
    severity:
      severities.find((known) => known === value['severity']) ??
      (value['severity'] === undefined ? 'minor' : 'major'),
    options,
    ...(fallback !== undefined && { default: fallback }),
  }
}

function readOption(option: unknown): QuestionOption | undefined {
  if (typeof option === 'string')
    return option.trim() ? { label: option.trim(), value: option.trim() } : undefined
  if (typeof option !== 'object' || option === null) return undefined
  const { label, value, description } = option as Record<string, unknown>
  const shown = readText(label) ?? readText(value)
  const stored = readText(value) ?? readText(label)
  if (!shown || !stored) return undefined
  const detail = readText(description)
  return { label: shown, value: stored, ...(detail && { description: detail }) }
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? value.trim().slice(0, LONGEST) : undefined
