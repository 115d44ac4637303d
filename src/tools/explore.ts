import { defineTool } from './tool.ts'

export const explore = defineTool({
  name: 'explore',
  read_only: true,
  nested: true,
  description:
    'Have a read-only sub-agent explore the code and report back. Use it when understanding something needs many files: only its summary comes back.',
  input: {
    type: 'object',
    properties: { question: { type: 'string', description: 'What to find out, with all it needs to know.' } },
    required: ['question'],
    additionalProperties: false,
  },
  run: ({ question }, { explore }) => explore(question),
})
