import type { Model, ModelPart } from '../../../src/ports/model.ts'
import { toWire } from '../../../src/adapters/models/openai-compatible/wire.ts'

/** A client without any care: it takes whatever came for a whole reply. The control of the fault tests. */
export function trusting(base_url: string): Model {
  return {
    label: 'trusting',
    async *stream(request): AsyncGenerator<ModelPart> {
      const body = JSON.stringify(toWire({ model: 'm' }, request))
      const response = await fetch(`${base_url}/chat/completions`, { method: 'POST', body })
      let text = ''
      try {
        for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
      } catch {
        // it does not ask why the reply ended
      }
      for (const [, data = ''] of text.matchAll(/^data: (\{.*)$/gm)) {
        const { delta } = (JSON.parse(data) as { choices: { delta: Delta }[] }).choices[0] ?? {}
        if (delta?.content) yield { type: 'text', text: delta.content }
        for (const { id, function: call } of delta?.tool_calls ?? []) yield { type: 'call', id, ...call }
      }
    },
  }
}

interface Delta {
  content?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}
