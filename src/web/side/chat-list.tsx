import { type ReactNode, useId, useMemo } from 'react'
import type { ChatHit, ChatSummary } from '../../client/client.ts'
import type { ChatId } from '../../schema/ids.ts'
import { ago, folderName } from '../parts/words.ts'

interface Props {
  chats: readonly ChatSummary[]
  current: string | undefined
  words: string
  hits: readonly ChatHit[] | undefined
  open: boolean
  now: number
  onWords: (words: string) => void
  onOpen: (chat: ChatId) => void
  onNew: () => void
  onSettings: () => void
  /** The workspace of a project, by one of its chats. */
  onProject: (chat: ChatId, folder: string) => void
}

/** All chats, by project; while something is searched for, those that match. */
export function ChatList(props: Props) {
  const { words, hits, open, onWords, onNew, onSettings } = props
  const id = useId()
  return (
    <nav className={open ? 'side open' : 'side'} aria-label="Chats">
      <div className="side-head">
        <button type="button" className="button" onClick={onNew}>
          New chat
        </button>
        <label className="hidden-words" htmlFor={id}>
          Search all chats
        </label>
        <input
          id={id}
          type="search"
          className="field"
          placeholder="Search"
          value={words}
          onChange={({ target }) => onWords(target.value)}
        />
      </div>
      <div className="side-list">{hits ? <Found {...props} hits={hits} /> : <Projects {...props} />}</div>
      <div className="side-foot">
        <button type="button" className="button bare small" onClick={onSettings}>
          Settings
        </button>
      </div>
    </nav>
  )
}

function Projects({ chats, current, now, onOpen, onProject }: Props) {
  const projects = useMemo(() => Map.groupBy(chats, ({ folder }) => folder), [chats])
  if (chats.length === 0) return <p className="muted small hint">Chats will be listed here.</p>
  return [...projects].map(([folder, entries]) => (
    <section key={folder} aria-label={`Project ${folderName(folder)}`}>
      <h2>
        <span title={folder}>{folderName(folder)}</span>
        <button
          type="button"
          className="button bare small push"
          onClick={() => entries[0] && onProject(entries[0].chat_id, folder)}
        >
          files<span className="hidden-words"> of {folderName(folder)}</span>
        </button>
      </h2>
      {entries.map(({ chat_id, title, status, updated_at }) => (
        <ChatLink key={chat_id} id={chat_id} title={title} isCurrent={chat_id === current} onOpen={onOpen}>
          <span>{ago(updated_at, now)}</span>
          {status && <span className={status === 'waiting' ? 'waits' : undefined}>{status}</span>}
        </ChatLink>
      ))}
    </section>
  ))
}

function Found({ hits, current, onOpen }: Props & { hits: readonly ChatHit[] }) {
  if (hits.length === 0) return <p className="muted small hint">nothing found</p>
  return hits.map(({ chat_id, title, excerpt }, index) => (
    <ChatLink key={index} id={chat_id} title={title} isCurrent={chat_id === current} onOpen={onOpen}>
      <span>{excerpt}</span>
    </ChatLink>
  ))
}

interface LinkProps {
  id: ChatId
  title: string
  isCurrent: boolean
  onOpen: (chat: ChatId) => void
  children: ReactNode
}

function ChatLink({ id, title, isCurrent, onOpen, children }: LinkProps) {
  return (
    <button type="button" className="chat-link" aria-current={isCurrent} onClick={() => onOpen(id)}>
      <span className="title">{title}</span>
      <span className="about">{children}</span>
    </button>
  )
}
