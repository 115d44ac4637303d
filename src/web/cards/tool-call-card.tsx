import { useEffect, useRef } from 'react'
import { neutralize } from '../../view/neutralize.ts'
import type { ToolCallItem } from '../../view/transcript-item.ts'
import { SubAgents } from './sub-agents.tsx'

interface Props {
  item: ToolCallItem
  /** What it has printed so far. */
  output?: string
}

/** A call that is not over: it waits for a person, or runs. */
export function ToolCallCard({ item, output }: Props) {
  const waiting = item.status === 'waiting' && item.pending_id !== undefined
  return (
    <section className={waiting ? 'card tool waiting' : 'card tool'} data-card="ToolCallCard">
      <header className="tool-head">
        <code className="tool-name">{neutralize(item.name)}</code>
        <span className="tool-summary">{neutralize(item.summary)}</span>
        <span className="chip push">{waiting ? 'waiting for you' : item.status}</span>
      </header>
      <SubAgents item={item} />
      {output !== undefined && output !== '' && <LiveOutput text={output} />}
    </section>
  )
}

/** Only the end is drawn, in a box that keeps its height: nothing below it moves while it is written. */
const lastLines = 200

function LiveOutput({ text }: { text: string }) {
  const box = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [text])
  return (
    <pre ref={box} className="code live-output" tabIndex={0} aria-label="Output so far">
      {neutralize(text.split('\n').slice(-lastLines).join('\n'))}
    </pre>
  )
}
