import { defineTool, failed } from './tool.ts'

/** Ends an agent's turn in a team with its vote. */
export const vote = defineTool({
  name: 'vote',
  description:
    'Vote for the candidate whose answer should go to the person. It ends your turn. Call it alone in a reply.',
  read_only: true,
  ends_turn: true,
  input: {
    type: 'object',
    properties: {
      agent_id: { type: 'string', description: 'the id of the candidate, exactly as listed' },
      reason: { type: 'string', description: 'what decided it: evidence, files, in one or two sentences' },
    },
    required: ['agent_id', 'reason'],
    additionalProperties: false,
  },
  run: ({ agent_id, reason }, { coordinate, call_id }) =>
    coordinate?.({ kind: 'vote', call_id, choice: agent_id, reason }) ??
    Promise.resolve(failed('There is no team to vote in.')),
})
