import { defineTool, failed } from './tool.ts'

const MOST_ITEMS = 100

/** The list is the call's own input, so it is in the log and comes back with it. */
export const todo = defineTool({
  name: 'todo',
  read_only: true,
  description: 'Replace your task list. For work of several steps; keep one item in_progress.',
  input: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            text: { type: 'string' },
            status: { type: 'string', enum: ['pending', 'in_progress', 'done'] },
          },
          required: ['text', 'status'],
          additionalProperties: false,
        },
      },
    },
    required: ['items'],
    additionalProperties: false,
  },
  async run({ items }) {
    if (items.length > MOST_ITEMS) return failed(`${items.length} items are too many; keep to ${MOST_ITEMS}`)
    if (items.length === 0) return { success: true, output: '(the list is empty)' }
    const done = items.filter(({ status }) => status === 'done').length
    const lines = items.map(({ text, status }) => `${marks[status] ?? '[ ]'} ${text.replaceAll('\n', ' ')}`)
    return { success: true, output: [...lines, `${done} of ${items.length} done`].join('\n') }
  },
})

const marks: Record<string, string> = { pending: '[ ]', in_progress: '[>]', done: '[x]' }
