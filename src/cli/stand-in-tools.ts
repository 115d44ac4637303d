import type { Recording } from '../adapters/models/record/recording.ts'
import type { ObjectSchema } from '../tools/input-schema.ts'
import { type Tool, type ToolResult, failed } from '../tools/tool.ts'

/**
 * The tools of a recorded run that are not built in (of MCP servers, of the web): a replay is offline, so they answer what
 * they answered then.
 */
export function standInTools(recordings: readonly Recording[], builtin: readonly Tool[]): Tool[] {
  const answers = new Map<string, ToolResult[]>()
  const tools = new Map<string, Tool>()
  for (const { header, exchanges } of recordings) {
    const last = exchanges.at(-1)?.request
    if (!last) continue
    const results = new Map(
      last.messages.flatMap((message) =>
        message.role === 'tool' ? [[message.call_id, message] as const] : [],
      ),
    )
    for (const message of last.messages) {
      for (const { id, name, input } of message.role === 'assistant' ? message.calls : []) {
        const result = results.get(id)
        if (result) answers.set(keyOf(name, input), [...(answers.get(keyOf(name, input)) ?? []), result])
      }
    }
    for (const { name, description, parameters } of last.tools) {
      if (tools.has(name) || builtin.some((tool) => tool.name === name)) continue
      const traits = header.settings.tools.find((tool) => tool.name === name)
      tools.set(name, {
        ...(traits ?? { name, read_only: false }),
        description,
        input: parameters as unknown as ObjectSchema,
        run: async (input) => {
          const known = answers.get(keyOf(name, input))
          // The last answer stays: it may have been asked more often than recorded.
          return (
            (known && known.length > 1 ? known.shift() : known?.[0]) ??
            failed(`${name} was not recorded with this input`)
          )
        },
      })
    }
  }
  return [...tools.values()]
}

const keyOf = (name: string, input: unknown): string => `${name} ${JSON.stringify(input)}`
