import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Model, ModelPart, ModelRequest } from '../../ports/model.ts'
import type { Failure } from '../../schema/failure.ts'

export interface ScriptedReply {
  text?: string
  reasoning?: string
  calls?: { name: string; input: Record<string, unknown> }[]
  /** Pause before the reply, in milliseconds. */
  delay_ms?: number
  usage?: { input_tokens: number; output_tokens: number; cost_usd?: number }
  /** The reply is this failure. */
  fails?: string
}

/**
 * Replies from a list. Which one comes next depends only on the conversation (how many replies it holds already), so a
 * script goes on at the right place after a crash. A script that has run out answers with its last reply's text.
 */
export function scriptedModel(replies: readonly ScriptedReply[]): Model {
  return {
    label: 'scripted',
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      const next = findNext(replies, request)
      const reply = replies[Math.min(next, replies.length - 1)]
      if (!reply)
        return yield { type: 'failed', failure: { kind: 'model', message: 'the script has no replies' } }
      if (reply.delay_ms) await sleep(reply.delay_ms, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      if (reply.fails) return yield { type: 'failed', failure: { kind: 'model', message: reply.fails } }
      if (reply.reasoning) yield { type: 'reasoning', text: reply.reasoning }
      if (reply.text) yield { type: 'text', text: reply.text }
      const spent = next >= replies.length
      for (const [index, { name, input }] of (spent ? [] : (reply.calls ?? [])).entries()) {
        yield {
          type: 'call',
          id: `${index}`,
          name,
          arguments: findCandidates(JSON.stringify(input), request),
        }
      }
      yield { type: 'usage', input_tokens: 0, output_tokens: 0, cost_usd: 0, ...reply.usage }
    },
  }
}

/** The one after those given so far; a reply that calls only tools which are not offered is for another moment. */
function findNext(replies: readonly ScriptedReply[], request: ModelRequest): number {
  const offered = new Set(request.tools.map(({ name }) => name))
  let next = countReplies(request)
  for (let calls = replies[next]?.calls; calls?.length; calls = replies[next]?.calls) {
    if (calls.some(({ name }) => offered.has(name) || !TEAM_TOOLS.has(name))) break
    next += 1
  }
  return next
}

const TEAM_TOOLS = new Set(['new_answer', 'vote'])

/** `{{candidate:words}}` stands for the id of the candidate whose answer holds the words: a script knows no ids. */
function findCandidates(text: string, { messages }: ModelRequest): string {
  if (!text.includes('{{candidate:')) return text
  const shown = messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])).join('\n')
  const blocks = [...shown.matchAll(/<candidate id="([^"]+)">([^]*?)<\/candidate>/g)]
  return text.replaceAll(/\{\{candidate:([^}]*)\}\}/g, (placeholder, words: string) => {
    return blocks.findLast(([, , body]) => body?.includes(words))?.[1] ?? placeholder
  })
}

/** Reads a script: JSON, either a list of replies or `{"replies": [...]}`. */
export async function loadScript(file: string): Promise<{ replies: ScriptedReply[] } | { failure: Failure }> {
  const fail = (message: string) =>
    ({
      failure: {
        kind: 'input',
        message,
        hint: 'a script is {"replies": [{"text": "…", "calls": [{"name": "…", "input": {}}]}]}',
      },
    }) as const
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    return fail(`the script ${file} cannot be read: ${(error as Error).message}`)
  }
  let script: unknown
  try {
    script = JSON.parse(text)
  } catch (error) {
    return fail(`the script ${file} is not JSON: ${(error as Error).message}`)
  }
  const replies: unknown = Array.isArray(script)
    ? script
    : (script as Record<string, unknown> | null)?.['replies']
  if (!Array.isArray(replies) || replies.length === 0) return fail(`the script ${file} has no replies`)
  const problem = replies.map(findProblem).find(Boolean)
  return problem ? fail(`the script ${file}: ${problem}`) : { replies: replies as ScriptedReply[] }
}

function findProblem(reply: unknown, index: number): string | undefined {
  const at = `reply ${index + 1}`
  if (!isObject(reply)) return `${at} is not an object`
  const { text, reasoning, calls, fails, delay_ms, usage } = reply
  if (text === undefined && calls === undefined && fails === undefined)
    return `${at} has neither text nor calls`
  const notText = Object.entries({ text, reasoning, fails }).find(([, value]) => !isOptional(value, 'string'))
  if (notText) return `${at}: ${notText[0]} must be a string`
  if (!isOptional(delay_ms, 'number')) return `${at}: delay_ms must be a number`
  if (usage !== undefined && !isUsage(usage))
    return `${at}: usage needs the numbers input_tokens and output_tokens`
  if (calls === undefined) return undefined
  if (!Array.isArray(calls)) return `${at}: calls must be a list`
  const bad = calls.findIndex(
    (call: unknown) => !isObject(call) || typeof call['name'] !== 'string' || !isObject(call['input']),
  )
  return bad < 0 ? undefined : `${at}: call ${bad + 1} needs a name and an input object`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOptional = (value: unknown, type: 'string' | 'number'): boolean =>
  value === undefined || typeof value === type

const isUsage = (usage: unknown): boolean =>
  isObject(usage) &&
  typeof usage['input_tokens'] === 'number' &&
  typeof usage['output_tokens'] === 'number' &&
  isOptional(usage['cost_usd'], 'number')

const countReplies = ({ messages }: ModelRequest): number =>
  messages.filter((message) => message.role === 'assistant').length
