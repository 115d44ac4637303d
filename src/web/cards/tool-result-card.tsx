import { useState } from 'react'
import type { ToolCallItem } from '../../view/transcript-item.ts'
import { neutralize } from '../../view/neutralize.ts'
import { DiffView } from '../diff/diff-view.tsx'
import { duration } from '../parts/words.ts'
import { ClippedText } from './clipped-text.tsx'
import { SubAgents } from './sub-agents.tsx'
import { ToolInput } from './tool-input.tsx'

/** A call that is over: one line, until somebody wants to see more. */
export function ToolResultCard({ item }: { item: ToolCallItem }) {
  const [open, setOpen] = useState(false)
  const files = item.files ?? []
  return (
    <section className={`card tool done ${item.status}`} data-card="ToolResultCard">
      <button type="button" className="tool-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="fold" aria-hidden="true">
          {open ? '▾' : '▸'}
        </span>
        <code className="tool-name">{neutralize(item.name)}</code>
        <span className="tool-summary">{neutralize(item.summary)}</span>
        {files.length > 0 && (
          <span className="chip">{files.length === 1 ? files[0]?.change : `${files.length} files`}</span>
        )}
        <span className="push small muted">
          <span className={`mark ${item.status}`}>{marks[item.status]}</span>{' '}
          {item.duration_ms !== undefined && duration(item.duration_ms)}
        </span>
      </button>
      {open && <Details item={item} />}
    </section>
  )
}

const marks = {
  waiting: 'waiting',
  running: 'running',
  ok: '✔ done',
  failed: '✖ failed',
  interrupted: '◼ stopped',
}

function Details({ item }: { item: ToolCallItem }) {
  const { output, diff, files = [] } = item
  return (
    <div className="tool-body">
      {diff ? <DiffView text={diff} label={`Changes of ${item.name}`} /> : <ToolInput call={item.call} />}
      {output && output.text !== '' && <ClippedText output={output} label={`Output of ${item.name}`} />}
      <SubAgents item={item} />
      {files.length > 0 && (
        <p className="small muted">
          {files.map(({ path, change }) => `${neutralize(path)} (${change})`).join(', ')}
        </p>
      )}
    </div>
  )
}
