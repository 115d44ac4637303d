import { Markdown } from '../markdown/markdown.tsx'
import { Thumbnail } from '../parts/thumbnail.tsx'
import { clockTime } from '../parts/words.ts'
import type { AgentMessage, UserMessage } from '../../view/transcript-item.ts'

/** What somebody said. */
export function MessageCard({ item, asker = 'You' }: { item: UserMessage | AgentMessage; asker?: string }) {
  const mine = item.kind === 'user_message'
  const reasoning = mine ? undefined : item.reasoning
  return (
    <section className={mine ? 'message mine' : 'message'} data-card="MessageCard">
      <header className="who">
        <strong>{mine ? asker : (item.agent_id ?? 'agent')}</strong>
        <time dateTime={item.at}>{clockTime(item.at)}</time>
        {!mine && item.streaming && <span>writing</span>}
      </header>
      {reasoning && (
        <details className="reasoning">
          <summary>Thoughts</summary>
          <Markdown text={reasoning} />
        </details>
      )}
      {mine ? (
        <Asked item={item} />
      ) : item.streaming && structured.test(item.text) ? (
        <p className="muted small">{item.text.length} characters of a plan or question</p>
      ) : (
        <Markdown text={item.text} />
      )}
    </section>
  )
}

function Asked({ item: { text, pictures = [] } }: { item: UserMessage }) {
  return (
    <>
      {text !== '' && <p className="said">{text}</p>}
      {pictures.length > 0 && (
        <ul className="shown" aria-label="Pictures">
          {pictures.map((picture, index) => (
            <li key={index}>
              <Thumbnail picture={picture} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Data that will be shown as a card once it is whole. */
const structured = /^\s*(?:```(?:json)?\s*)?\{\s*"/
