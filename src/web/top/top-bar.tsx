import type { ChatMode } from '../../schema/chat-config.ts'
import { money } from '../parts/words.ts'
import type { Connection } from '../store/use-chat.ts'

interface Props {
  title: string
  folder: string
  /** Absent while it is not known. */
  mode: ChatMode | undefined
  description: string
  cost?: string
  /** How full the context of the agent is that is shown. */
  context?: { tokens: number; window: number | undefined }
  connection: Connection
  hasTeam: boolean
  onSide: () => void
  onTeam: () => void
}

export function TopBar({
  title,
  folder,
  mode,
  description,
  cost,
  context,
  connection,
  hasTeam,
  onSide,
  onTeam,
}: Props) {
  return (
    <header className="top">
      <button type="button" className="button bare only-narrow" onClick={onSide} aria-label="Chats">
        ☰
      </button>
      <span className="brand">conclave</span>
      <h1>{title || 'New chat'}</h1>
      <span className="place mono" title={folder}>
        {folder}
      </span>
      <span className="push" />
      {mode && <ModeBadge mode={mode} description={description} />}
      {cost && <span className="chip">{cost}</span>}
      {context && <ContextShare {...context} />}
      {hasTeam && (
        <button type="button" className="button bare only-narrow" onClick={onTeam}>
          Team
        </button>
      )}
      <span className={`chip connection ${connection}`} role="status" title={connectionWords[connection]}>
        <span className="words">{connectionWords[connection]}</span>
      </span>
    </header>
  )
}

function ContextShare({ tokens, window }: { tokens: number; window: number | undefined }) {
  const size = `${tokens.toLocaleString()} tokens`
  if (window === undefined) return <span className="chip wide-words">{thousands(tokens)} ctx</span>
  const share = Math.round((100 * tokens) / window)
  return (
    <span
      className={share >= 80 ? 'chip context full' : 'chip context'}
      title={`the conversation takes ${size} of ${window.toLocaleString()}`}
    >
      {share} % ctx
    </span>
  )
}

const thousands = (count: number): string => (count < 1000 ? String(count) : `${Math.round(count / 1000)}k`)

const connectionWords: Record<Connection, string> = {
  connected: 'connected',
  connecting: 'connecting',
  lost: 'no connection',
}

/** Which mode the chat is in; what that means is told on hover, on focus and to screen readers. */
function ModeBadge({ mode, description }: { mode: ChatMode; description: string }) {
  return (
    <span
      className={mode === 'Plan' ? 'badge plan' : 'badge act'}
      tabIndex={0}
      role="note"
      aria-label={`${mode} mode`}
      aria-describedby="mode-words"
      data-mode={mode}
    >
      {mode}
      <span className="tip" id="mode-words" role="tooltip">
        {description}
      </span>
    </span>
  )
}

export const costWords = (
  usd: number | undefined,
  tokens: number,
  budget: number | undefined,
): string | undefined => {
  if (tokens === 0) return undefined
  return budget === undefined ? money(usd) : `${money(usd)} of ${money(budget)}`
}
