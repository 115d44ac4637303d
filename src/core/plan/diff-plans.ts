import type { Plan, PlanChange, PlanStep } from '../../schema/plan.ts'

/** What is different in a revision, step by step. Steps are matched by what they do, not by their number. */
export function diffPlans(older: Plan, newer: Plan): PlanChange[] {
  const changes: PlanChange[] = []
  if (older.goal !== newer.goal) changes.push({ kind: 'changed', text: `goal: ${newer.goal}` })
  const left = [...older.steps]
  const unmatched: PlanStep[] = []
  for (const step of newer.steps) {
    const same = left.findIndex(({ action }) => action === step.action)
    if (same < 0) unmatched.push(step)
    else {
      const [before] = left.splice(same, 1)
      if (before && details(before) !== details(step)) changes.push(changed(step))
    }
  }
  for (const step of unmatched) {
    const before = left.findIndex(({ step_number }) => step_number === step.step_number)
    if (before >= 0) left.splice(before, 1)
    changes.push(
      before < 0 ? { kind: 'added', step_number: step.step_number, text: step.action } : changed(step),
    )
  }
  for (const { step_number, action } of left) changes.push({ kind: 'removed', step_number, text: action })
  for (const key of ['risks', 'prerequisites'] as const) {
    if (older[key].join('\n') !== newer[key].join('\n')) {
      changes.push({ kind: 'changed', text: `${key}: ${newer[key].join('; ') || 'none'}` })
    }
  }
  return changes
}

const changed = ({ step_number, action }: PlanStep): PlanChange => ({
  kind: 'changed',
  step_number,
  text: action,
})

const details = ({ reason, tools_needed, estimated_time, files }: PlanStep): string =>
  JSON.stringify([reason, tools_needed, estimated_time, files])
