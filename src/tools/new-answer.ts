import { defineTool, failed } from './tool.ts'

/** Ends an agent's turn in a team with its answer. Changes nothing but the record, so planning runs have it too. */
export const newAnswer = defineTool({
  name: 'new_answer',
  description:
    'Submit your answer to the task. It ends your turn, and your folder is frozen with it. Call it alone in a reply, once your work is done and checked.',
  read_only: true,
  ends_turn: true,
  input: {
    type: 'object',
    properties: { answer: { type: 'string', description: 'the whole answer, for the person' } },
    required: ['answer'],
    additionalProperties: false,
  },
  run: ({ answer }, { coordinate, call_id }) =>
    coordinate?.({ kind: 'answer', call_id, text: answer }) ??
    Promise.resolve(failed('There is no team to answer in.')),
})
