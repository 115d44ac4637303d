import { PLAN_STEP } from '../core/turn/plan-steps.ts'
import { defineTool, failed } from './tool.ts'

/** The turn itself answers this call, so that the steps are in the log. Offered only while a plan is carried out. */
export const planStep = defineTool({
  name: PLAN_STEP,
  read_only: true,
  description:
    'Report a step of the plan you are executing: running when you begin it, then done, failed or skipped.',
  input: {
    type: 'object',
    properties: {
      step_number: { type: 'integer', minimum: 1 },
      status: { type: 'string', enum: ['running', 'done', 'failed', 'skipped'] },
      note: { type: 'string' },
    },
    required: ['step_number', 'status'],
    additionalProperties: false,
  },
  run: async () => failed('plan_step is answered by the turn itself'),
})
