import { useContext, useState } from 'react'
import { neutralize } from '../../view/neutralize.ts'
import type { ClippedText as Clipped } from '../../view/transcript-item.ts'
import { TranscriptToolsContext } from '../parts/transcript-tools.ts'

/** Beyond this a browser is slow to lay a text out, and nobody reads it here. */
const most = 2_000_000

/** A text by its beginning and end; the whole is read when somebody wants it. */
export function ClippedText({ output, label }: { output: Clipped; label: string }) {
  const { whole } = useContext(TranscriptToolsContext)
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const read = (): void => {
    setProblem(undefined)
    whole(output.source).then(setText, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    )
  }
  return (
    <>
      <pre
        className={text === undefined ? 'code output' : 'code output whole'}
        tabIndex={0}
        aria-label={label}
      >
        {neutralize((text ?? output.text).slice(0, most))}
      </pre>
      {output.clipped && text === undefined && (
        <p className="muted small">
          shortened{' '}
          <button type="button" className="button bare small" onClick={read}>
            Show all {output.length.toLocaleString()} characters
          </button>
          {problem && <span role="alert"> {problem}</span>}
        </p>
      )}
      {text !== undefined && text.length > most && (
        <p className="muted small">the first {most.toLocaleString()} characters</p>
      )}
    </>
  )
}
