import type { Entry } from '../core/turn/state.ts'
import { clip } from '../core/turn/observe.ts'
import { renderPlan } from './render-plan.ts'
import type { ReflectionCause } from '../schema/turn-event.ts'
import type { ToldMessage } from './told-message.ts'

/** Longer results are cut to this when they are old and the conversation must be made to fit. */
const TRIMMED = 400

/**
 * A turn's entries as the model reads them. Later entries never change how earlier ones read, unless the conversation
 * must be made to fit: then results before `trimmedBefore` are shortened.
 */
export function renderEntries(entries: readonly Entry[], trimmedBefore = 0): ToldMessage[] {
  return entries.map((entry, index): ToldMessage => {
    switch (entry.kind) {
      case 'prompt':
        return {
          role: 'user',
          text: entry.plan ? renderPlan(entry.plan) : entry.text,
          ...(entry.pictures && { pictures: entry.pictures }),
        }
      case 'guidance':
        return {
          role: 'user',
          text: `Correction from the person: ${entry.text}\nChange your plan accordingly.`,
        }
      case 'update':
        return { role: 'user', text: entry.text }
      case 'answer':
        return { role: 'user', text: `Answer to your question "${entry.question}": ${entry.answer}` }
      case 'reflect':
        return { role: 'user', text: reflectPrompt(entry.cause, entry.detail) }
      case 'reply':
        return {
          role: 'assistant',
          text: entry.text,
          calls: entry.calls.map(({ id, name, input }) => ({ id, name, input })),
          ...(entry.metadata !== undefined && { metadata: entry.metadata }),
        }
      case 'result':
        return {
          role: 'tool',
          call_id: entry.call_id,
          name: entry.tool,
          output: index < trimmedBefore ? clip(entry.output, TRIMMED) : entry.output,
          success: entry.success,
        }
    }
  })
}

/** Stands for everything that came before. */
export const renderSummary = (summary: string): ToldMessage => ({
  role: 'user',
  text: `The conversation so far was too long and is summarised here. The full record is kept; files can be read again.\n\n${summary}`,
})

function reflectPrompt(cause: ReflectionCause, detail: string): string {
  const question =
    cause === 'finished'
      ? `judge from the results above, not from what you intended, whether the goal is fully achieved${detail && ` (${detail})`}.`
      : `you seem to be going in circles (${detail}). Decide how to go on.`
  return `Reflect: ${question} Answer only with JSON: {"verdict": "complete" | "continue" | "needs_person" | "failed", "reason": "one sentence"}. Choose "continue" if you can do what is missing yourself, "needs_person" if only the person can decide.`
}
