import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { clip } from '../../core/turn/observe.ts'

const LONGEST = 48_000

/** What the model reads of a result. What is not text is named, not sent. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(describePart).filter((part) => part !== '')
  if (parts.length === 0 && structuredContent) parts.push(JSON.stringify(structuredContent, null, 2))
  return clip(parts.join('\n'), LONGEST) || '(no output)'
}

function describePart(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type}: ${part.mimeType}, ${bytesOf(part.data)} bytes; it cannot be shown here]`
    case 'resource_link':
      return `[resource ${part.name}: ${part.uri}]`
    case 'resource':
      if ('text' in part.resource) return `[resource ${part.resource.uri}]\n${part.resource.text}`
      return `[resource ${part.resource.uri}: ${bytesOf(part.resource.blob)} bytes; it cannot be shown here]`
  }
}

/** Of base64. */
const bytesOf = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0)
