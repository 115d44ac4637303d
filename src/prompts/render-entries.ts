import type { Entry } from '../core/turn/state.ts'
import type { ModelMessage } from '../ports/model.ts'
import { renderPlan } from './render-plan.ts'
import type { ReflectionCause } from '../schema/turn-event.ts'

/** A turn's entries as the model reads them. Later entries never change how earlier ones read. */
export function renderEntries(entries: readonly Entry[]): ModelMessage[] {
  return entries.map((entry): ModelMessage => {
    switch (entry.kind) {
      case 'prompt':
        return { role: 'user', text: entry.plan ? renderPlan(entry.plan) : entry.text }
      case 'guidance':
        return {
          role: 'user',
          text: `Correction from the person: ${entry.text}\nChange your plan accordingly.`,
        }
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
          output: entry.output,
          success: entry.success,
        }
    }
  })
}

function reflectPrompt(cause: ReflectionCause, detail: string): string {
  const question =
    cause === 'finished'
      ? 'judge from the results above, not from what you intended, whether the goal is fully achieved.'
      : `you seem to be going in circles (${detail}). Decide how to go on.`
  return `Reflect: ${question} Answer only with JSON: {"verdict": "complete" | "continue" | "needs_person" | "failed", "reason": "one sentence"}. Choose "continue" if you can do what is missing yourself, "needs_person" if only the person can decide.`
}
