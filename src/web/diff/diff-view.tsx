import { memo, useMemo } from 'react'
import { neutralize } from '../../view/neutralize.ts'
import { type DiffCell, type DiffRow, parseDiff } from './parse-diff.ts'

const most = 2000

/** A unified diff. */
export const DiffView = memo(({ text, label }: { text: string; label: string }) => {
  const rows = useMemo(() => parseDiff(text), [text])
  return <SideBySide rows={rows} label={label} />
})

/** Old and new side by side; on a narrow screen one below the other. */
function SideBySide({ rows, label }: { rows: readonly DiffRow[]; label: string }) {
  return (
    <div className="diff" role="group" aria-label={label} tabIndex={0}>
      {rows.slice(0, most).map((row, index) =>
        row.kind === 'place' ? (
          <div key={index} className="diff-place">
            {neutralize(row.text ?? '')}
          </div>
        ) : (
          <div key={index} className={`diff-row ${row.kind}`}>
            <Side cell={row.left} side="removed" />
            <Side cell={row.right} side="added" />
          </div>
        ),
      )}
      {rows.length > most && <p className="muted small">{rows.length - most} more lines are not shown</p>}
    </div>
  )
}

function Side({ cell, side }: { cell: DiffCell | undefined; side: 'removed' | 'added' }) {
  if (!cell) return <div className="diff-side none" />
  const mark = cell.changed ? (side === 'added' ? '+' : '−') : ' '
  return (
    <div className={cell.changed ? `diff-side ${side}` : `diff-side same ${side}-side`}>
      <span className="diff-number" aria-hidden="true">
        {cell.number}
      </span>
      <span className="diff-mark">{mark}</span>
      <span className="diff-text">{neutralize(cell.text)}</span>
    </div>
  )
}
