import type { TranscriptItem } from '../../view/transcript-item.ts'

/** What an item says, for searching. */
export function wordsOf(item: TranscriptItem): string {
  switch (item.kind) {
    case 'user_message':
    case 'agent_message':
    case 'guidance':
    case 'notice':
      return item.text
    case 'tool_call':
      return `${item.name} ${item.summary} ${item.output?.text ?? ''} ${item.diff ?? ''}`
    case 'answer_submitted':
      return `${item.label} ${item.text.text}`
    case 'vote_cast':
      return `${item.label} ${item.reason}`
    default:
      return ''
  }
}

/** `wanted` is in lower case. */
export const saysSo = (item: TranscriptItem, wanted: string): boolean =>
  wordsOf(item).toLowerCase().includes(wanted)
