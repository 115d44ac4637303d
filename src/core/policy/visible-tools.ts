import type { ChatMode } from '../../schema/chat-config.ts'
import type { ToolTraits } from '../../schema/turn-event.ts'

/** What the model is shown. Visibility only: every call is checked again when it is dispatched. */
export function visibleTools<T extends ToolTraits>(tools: readonly T[], mode: ChatMode): T[] {
  switch (mode) {
    case 'Plan':
      return tools.filter((tool) => tool.read_only || tool.confinable)
    case 'Act':
      return [...tools]
  }
}
