import type { Model, ModelPart, ModelRequest } from '../../../ports/model.ts'
import type { Action, Plan } from './action.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import { nextAction } from './next-action.ts'
import { asTeamAnswer, teamReply } from './team.ts'

/**
 * The embedded default: a deterministic planner that works without key or server. Its reply is a pure function of the
 * request, so a conversation can be taken up again from any point.
 */
export function rehearsalModel(): Model {
  return { label: 'rehearsal (built-in planner)', no_prose: true, images: false, stream }
}

async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
  const evidence = readEvidence(request)
  const { text, calls } = teamReply(request) ?? asTeamAnswer(replyOf(nextAction(evidence), evidence), request)
  for (const chunk of chunksOf(text)) {
    if (signal.aborted) return
    yield { type: 'text', text: chunk }
  }
  const written = calls.map(({ name, input }) => ({ name, arguments: JSON.stringify(input) }))
  for (const [index, call] of written.entries()) {
    if (signal.aborted) return
    yield { type: 'call', id: `call_${evidence.callCount + index + 1}`, ...call }
  }
  const output =
    text.length + written.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0)
  yield {
    type: 'usage',
    input_tokens: tokens(inputLength(request)),
    output_tokens: tokens(output),
    cost_usd: 0,
  }
}

function replyOf(
  action: Action,
  { reflecting }: Evidence,
): { text: string; calls: Extract<Action, { kind: 'calls' }>['calls'] } {
  if (reflecting) return { text: JSON.stringify(verdictOf(action)), calls: [] }
  switch (action.kind) {
    case 'calls':
      return { text: action.say, calls: action.calls }
    case 'answer':
      return { text: action.text, calls: [] }
    case 'plan':
      return { text: writePlan(action.plan), calls: [] }
  }
}

/** The planner's verdict on its work is what it would do next. */
function verdictOf(action: Action): { verdict: string; reason: string } {
  switch (action.kind) {
    case 'calls':
      return { verdict: 'continue', reason: action.say }
    case 'answer':
      return { verdict: action.verdict, reason: action.reason }
    case 'plan':
      return { verdict: 'complete', reason: 'the plan is ready for review' }
  }
}

function writePlan({ goal, steps, risks, prerequisites }: Plan): string {
  const numbered = steps.map((step, index) => ({ step_number: index + 1, ...step }))
  return JSON.stringify(
    { goal, steps: numbered, estimated_total_time: 'a minute, plus the tests', risks, prerequisites },
    null,
    2,
  )
}

/** A few pieces, cut after spaces, so that a face can show the text growing. */
function chunksOf(text: string): string[] {
  const most = Math.max(40, Math.ceil(text.length / 8))
  const chunks: string[] = []
  let rest = text
  while (rest.length > most) {
    const space = rest.indexOf(' ', most)
    if (space === -1) break
    chunks.push(rest.slice(0, space + 1))
    rest = rest.slice(space + 1)
  }
  return rest === '' ? chunks : [...chunks, rest]
}

const tokens = (characters: number): number => Math.ceil(characters / 4)

function inputLength({ system, messages, tools }: ModelRequest): number {
  return messages.reduce(
    (sum, message) => sum + JSON.stringify(message).length,
    system.length + JSON.stringify(tools).length,
  )
}
