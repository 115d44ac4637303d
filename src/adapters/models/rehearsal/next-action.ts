import { type Action, done, stuck } from './action.ts'
import type { Evidence } from './evidence.ts'
import { nextForFileEdit } from './file-edit.ts'
import { nextForRename } from './rename.ts'
import { nextForSummary } from './summary.ts'
import { nextForUsages } from './usages.ts'
import { GREETING, HELP, SIGNATURE, code } from './voice.ts'

/** From the evidence to the next action; the same evidence always leads to the same action. */
export function nextAction(evidence: Evidence): Action {
  const action = nextForIntent(evidence)
  if (action.kind === 'calls') return withinOffer(action, evidence)
  if (action.kind === 'plan' || !isWork(evidence)) return action
  return { ...action, text: `${action.text.trimEnd()}\n\n${SIGNATURE}` }
}

function nextForIntent(evidence: Evidence): Action {
  const { intent } = evidence
  switch (intent.kind) {
    case 'rename':
      return nextForRename(intent, evidence)
    case 'usages':
      return nextForUsages(intent, evidence)
    case 'create':
    case 'replace':
    case 'add':
    case 'delete':
      return nextForFileEdit(intent, evidence)
    case 'summary':
      return nextForSummary(intent, evidence)
    case 'greeting':
      return done(GREETING, 'a greeting was answered')
    case 'again':
    case 'unknown':
      return stuck(HELP, 'needs_person', 'this request needs a language model')
  }
}

const isWork = ({ intent }: Evidence): boolean => !['greeting', 'again', 'unknown'].includes(intent.kind)

/** A tool that is not offered cannot be called, however much the job needs it. */
function withinOffer(action: Extract<Action, { kind: 'calls' }>, { offered }: Evidence): Action {
  const missing = action.calls.find(({ name }) => !offered.has(name))
  if (!missing) return action
  const text = `I need the tool ${code(missing.name)} for this, and it is not offered here.\n\n${SIGNATURE}`
  return stuck(text, 'failed', `the tool ${missing.name} is not offered`)
}
