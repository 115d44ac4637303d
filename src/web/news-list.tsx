import type { ChatId } from '../schema/ids.ts'
import type { News } from './store/use-chats.ts'

interface Props {
  news: readonly News[]
  onOpen: (chat: ChatId) => void
  onDismiss: (key: string) => void
}

/** What ended while the person looked at something else. It stays until it is opened or put away. */
export function NewsList({ news, onOpen, onDismiss }: Props) {
  return (
    <div className="news" role="status" aria-label="News">
      {news.map(({ key, chat_id, title, text }) => (
        <p key={key} className="news-item">
          <span>
            <strong>{title}</strong> {text}
          </span>
          <button
            type="button"
            className="button bare small push"
            onClick={() => {
              onOpen(chat_id)
              onDismiss(key)
            }}
          >
            Show<span className="hidden-words"> {title}</span>
          </button>
          <button
            type="button"
            className="button bare small"
            aria-label={`Put away: ${title}`}
            onClick={() => onDismiss(key)}
          >
            ✕
          </button>
        </p>
      ))}
    </div>
  )
}
