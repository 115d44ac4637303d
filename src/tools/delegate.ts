import { DELEGATE } from '../core/turn/subtasks.ts'
import { defineTool, failed } from './tool.ts'

/** The turn itself carries this call out, so that its sub-tasks are in the log and survive a crash. */
export const delegate = defineTool({
  name: DELEGATE,
  nested: true,
  description:
    'Split work into sub-tasks for sub-agents with your rights. A sub-task starts when all it depends on are complete; independent ones run in parallel, so let them touch different files.',
  input: {
    type: 'object',
    properties: {
      subtasks: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            task: { type: 'string', description: 'Everything the sub-agent needs to know.' },
            depends_on: { type: 'array', items: { type: 'string' } },
          },
          required: ['id', 'task'],
          additionalProperties: false,
        },
      },
    },
    required: ['subtasks'],
    additionalProperties: false,
  },
  run: async () => failed('delegate is carried out by the turn itself'),
})
