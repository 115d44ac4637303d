import type { Client } from '../../client/client.ts'
import type { ClippedText } from '../../view/transcript-item.ts'

/** The whole of a text that is shown shortened, from the log that holds it. */
export async function wholeText(client: Client, { stream, call_id }: ClippedText['source']): Promise<string> {
  for (const { event } of await client.read(stream)) {
    if (event.type === 'tool.finished' && event.call_id === call_id) return event.output
    if (event.type === 'external.finished' && event.call.id === call_id) return event.output
    if (event.type === 'answer.submitted' && event.call_id === call_id) return event.text
  }
  throw new Error('the log does not hold it any more')
}
