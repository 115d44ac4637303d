import { jsonSpansIn } from '../core/json-in-text.ts'
import { readPlan } from '../core/plan/parse-plan.ts'
import { parseQuestion } from '../core/plan/parse-question.ts'

/** What an agent said, for people: a plan or a question that it wrote as JSON is told in words, or dropped where a card shows it. */
export function spokenText(text: string, { data = 'told' }: { data?: 'told' | 'dropped' } = {}): string {
  if (!mayHoldData(text)) return text
  let out = ''
  let from = 0
  for (const { value, start, end } of jsonSpansIn(text)) {
    const told = describe(value, text.slice(start, end))
    if (told === undefined) continue
    const [before, after] = unfence(text, start, end)
    out += `${text.slice(from, before)}${data === 'told' ? told : ''}`
    from = after
  }
  return from === 0 ? text : `${out}${text.slice(from)}`.replaceAll(/\n{3,}/g, '\n\n').trim()
}

/** The same for a text that is still being written: data that has begun is not shown. */
export function spokenSoFar(text: string): string {
  if (!mayHoldData(text) && !text.includes('"goal"') && !text.includes('"type"')) return text
  const spoken = spokenText(text)
  const begun = spoken.search(/(?:```(?:json)?\s*)?\{\s*"(?:goal"|type"\s*:\s*"question")/)
  return begun === -1 ? spoken : `${spoken.slice(0, begun)}…`
}

const mayHoldData = (text: string): boolean =>
  text.includes('{') && (text.includes('"steps"') || text.includes('"question"'))

function describe(value: Record<string, unknown>, source: string): string | undefined {
  const plan = readPlan(value)
  if (plan) {
    const { goal, steps } = plan
    return `Plan: ${goal} (${steps.length} ${steps.length === 1 ? 'step' : 'steps'})`
  }
  return value['type'] === 'question' ? parseQuestion(source)?.question : undefined
}

/** With the fence around it, if there is one. */
function unfence(text: string, start: number, end: number): [number, number] {
  const opened = /```[\w-]*[^\S\n]*\n?\s*$/.exec(text.slice(Math.max(0, start - 40), start))
  const closed = /^\s*```/.exec(text.slice(end, end + 40))
  return opened && closed ? [start - opened[0].length, end + closed[0].length] : [start, end]
}
