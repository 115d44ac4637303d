import type { ChatView } from '../view/chat-view.ts'
import { itemAt, itemCount } from '../view/transcript.ts'

/** Tells a screen reader what a sighted person sees arrive, without reading out every word while it is written. */
export function Announcer({ view }: { view: ChatView }) {
  return (
    <p className="hidden-words" aria-live="polite">
      {words(view)}
    </p>
  )
}

function words(view: ChatView): string {
  if (view.pendings.length > 0) return `Waiting for you: ${view.pendings[0]?.card.title ?? ''}`
  if (view.under_way) return 'Agents are working'
  const count = itemCount(view.transcript)
  const last = count > 0 ? itemAt(view.transcript, count - 1) : undefined
  return last?.kind === 'agent_message'
    ? `${last.agent_id ?? 'The agent'} answered: ${last.text.slice(0, 300)}`
    : ''
}
