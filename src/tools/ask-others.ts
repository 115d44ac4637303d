import { ASK_OTHERS } from '../core/turn/ask-others.ts'
import { defineTool, failed } from './tool.ts'

/** Puts a question to the other agents of a run. Where the person is to be asked, the turn does that itself. */
export const askOthers = defineTool({
  name: ASK_OTHERS,
  description:
    'Put one question to the others and wait for the replies. Only for what you cannot find out yourself and what would change your result.',
  read_only: true,
  input: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'everything they need to know to answer, in one question' },
    },
    required: ['question'],
    additionalProperties: false,
  },
  run: ({ question }, { ask }) => ask?.(question) ?? Promise.resolve(failed('There is nobody to ask.')),
})
