import type { ReactNode } from 'react'

interface Props {
  mark?: string
  tone?: 'info' | 'warning' | 'error' | 'good'
  children: ReactNode
  card?: string
}

/** Something small that happened: one quiet line. */
export function LineCard({ mark, tone = 'info', children, card = 'LineCard' }: Props) {
  return (
    <div className={`line ${tone}`} data-card={card}>
      {mark && (
        <span className="line-mark" aria-hidden="true">
          {mark}
        </span>
      )}
      <div className="line-words">{children}</div>
    </div>
  )
}
