import { z } from 'zod'
import { newChatSchema } from './chat-routes.ts'
import { commandSchema } from './command-schema.ts'
import { pictureSchema } from './picture-routes.ts'

interface Operation {
  summary: string
  query?: Record<string, string>
  body?: z.ZodType
}

/** Every route of the API. A test holds it against the router. */
export const operations: Record<string, Operation> = {
  'GET /api/health': { summary: 'Whether the server runs. The one route without a token.' },
  'GET /api/chats': { summary: 'All chats, the latest first.' },
  'GET /api/chats/changes': {
    summary:
      'Server-sent events: all chats, then those that change. Each message says changed, removed and all.',
  },
  'POST /api/chats': { summary: 'Make a chat in the folder the server works in.', body: newChatSchema },
  'POST /api/chats/id': { summary: 'An id for a chat that is made by a command.', body: z.strictObject({}) },
  'GET /api/search': {
    summary: 'Chats in which something was said.',
    query: { words: 'All of them, in any order.' },
  },
  'GET /api/chats/{id}': {
    summary:
      'Open a chat: its log, and the logs of its newest turns and runs. What was left unfinished goes on.',
    query: {
      exchanges: 'How many turns and runs come with their logs (20).',
      log: "About how many of the newest events of the chat's own log come; all of them without it.",
    },
  },
  'GET /api/chats/{id}/log': {
    summary: "A part of the chat's own log, for a chat that was opened by its end.",
    query: {
      before: 'A sequence number; the end of the log without it.',
      limit: 'About how many events (200): turns are not cut apart.',
    },
  },
  'GET /api/chats/{id}/exchanges': {
    summary: 'The logs of turns and runs that were left out.',
    query: { ids: 'Separated by commas.' },
  },
  'GET /api/chats/{id}/plan': { summary: 'The newest revision of the plan of a chat.' },
  'GET /api/chats/{id}/workspace': {
    summary: 'A file or folder of the project workspace.',
    query: { path: 'Below .conclave.' },
  },
  'GET /api/runs/{id}/answers/{label}/diff': {
    summary: 'All that an answer changes, as a unified diff; null when it is not known any more.',
  },
  'GET /api/streams/{id}': {
    summary: 'One log: of a chat, a run or a turn.',
    query: { after: 'The sequence number that was seen last.', limit: 'At most so many events.' },
  },
  'GET /api/events': {
    summary: 'Server-sent events: the envelopes of a log and of all it leads to, as they come.',
    query: {
      stream: 'A chat, run or turn.',
      after: 'The sequence number of it that was seen last.',
      cursor: 'Instead: the last id that was sent. The header Last-Event-ID does the same.',
    },
  },
  'POST /api/commands': {
    summary: 'One command. The answer says whether it was accepted, or why not.',
    body: commandSchema,
  },
  'POST /api/pictures': {
    summary: 'Keep a picture for a message: PNG, JPEG, GIF or WebP, at most 5 MB. The answer holds its id.',
    body: pictureSchema,
  },
  'GET /api/pictures/{id}': { summary: 'The picture itself.' },
  'GET /api/roster': { summary: 'Agents, and the settings that messages are sent with.' },
  'GET /api/config': {
    summary: 'The config, and what is wrong with it at which line. It is changed in its file.',
  },
  'GET /api/openapi.json': { summary: 'This document.' },
}

/** The API for programs, from the schemas that check what they send. */
export function openApi(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(path, operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'conclave', version },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function describe(path: string, { summary, query = {}, body }: Operation): Record<string, unknown> {
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }))
  const inQuery = Object.entries(query).map(([name, description]) => ({
    ...{ name, in: 'query', description, schema: { type: 'string' } },
  }))
  return {
    summary,
    parameters: [...inPath, ...inQuery],
    ...(path === '/api/health' && { security: [] }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: z.toJSONSchema(body, { io: 'input' }) } },
      },
    }),
    responses: {
      200: { description: 'As asked.' },
      401: { description: 'No token, or a wrong one.' },
      403: { description: 'From elsewhere, or not JSON.' },
    },
  }
}
