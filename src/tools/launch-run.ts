import { defineTool, failed } from './tool.ts'

/** Has a team carry out a task. The person approves it first, unless they said that they need not. */
export const launchRun = defineTool({
  name: 'launch_run',
  description:
    'Launch a run of the agents behind you on a task and wait for its result. Use it for work of many steps, for work that gains from several independent attempts, and for whatever the person wants the team to do.',
  launches: true,
  input: {
    type: 'object',
    properties: {
      task: { type: 'string', description: 'what to accomplish, complete in itself' },
      context: {
        type: 'string',
        description: 'background, constraints, earlier decisions; summaries and paths',
      },
      agent_mode: { type: 'string', enum: ['single', 'multi'], description: 'default: multi' },
      agents: { type: 'array', items: { type: 'string' }, description: 'ids; default: all' },
      refinement: {
        type: 'boolean',
        description: 'agents see and improve on answers; default: true for multi, false for single',
      },
      planning_mode: { type: 'boolean', description: 'agents plan and change nothing; default: false' },
      execute_after_planning: {
        type: 'boolean',
        description: 'with planning_mode: a second run carries out the winning plan; default: false',
      },
      coordination_overrides: {
        type: 'object',
        description: 'limits that narrow the run',
        properties: {
          max_new_answers_per_agent: { type: 'integer', minimum: 1 },
          max_new_answers_global: { type: 'integer', minimum: 1 },
          max_iterations: { type: 'integer', minimum: 1 },
          max_tokens: { type: 'integer', minimum: 1 },
          max_usd: { type: 'number' },
          timeout_seconds: { type: 'integer', minimum: 1 },
          skip_voting: { type: 'boolean' },
          disable_injection: { type: 'boolean' },
          defer_voting_until_all_answered: { type: 'boolean' },
        },
        additionalProperties: false,
      },
    },
    required: ['task'],
    additionalProperties: false,
  },
  run: (input, { launch }) => launch?.(input) ?? Promise.resolve(failed('There is no team to launch.')),
})
