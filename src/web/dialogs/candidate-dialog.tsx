import { useEffect, useMemo, useState } from 'react'
import { neutralize } from '../../view/neutralize.ts'
import type { AnswerView } from '../../view/run-view.ts'
import { DiffView } from '../diff/diff-view.tsx'
import { splitDiff } from '../diff/split-diff.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { plural } from '../parts/words.ts'
import { EvidenceMarks } from '../team/evidence-marks.tsx'

interface Props {
  answer: AnswerView
  /** All that it changes; undefined when nobody knows any more. */
  load: () => Promise<string | undefined>
  onClose: () => void
}

/** A candidate: its words, what the evidence says, and what it changes, old and new side by side. */
export function CandidateDialog({ answer, load, onClose }: Props) {
  const { label, text, added, removed, changed, evidence } = answer
  return (
    <Dialog title={`Answer ${label}`} wide onClose={onClose}>
      <p>
        <EvidenceMarks evidence={evidence ?? []} />{' '}
        <span className="mono small">
          {plural(answer.files, 'file')} +{added} −{removed}
        </span>
      </p>
      <Markdown text={text} />
      {changed.length > 0 ? (
        <ChangedFiles changed={changed} load={load} />
      ) : (
        <p className="muted">It changes no files.</p>
      )}
      {(evidence ?? [])
        .filter(({ output }) => output.trim() !== '')
        .map(({ name, status, output }) => (
          <details key={name}>
            <summary>
              {name}: {status}
            </summary>
            <pre className="code output" tabIndex={0} aria-label={`Output of ${name}`}>
              {neutralize(output)}
            </pre>
          </details>
        ))}
    </Dialog>
  )
}

function ChangedFiles({ changed, load }: { changed: AnswerView['changed']; load: Props['load'] }) {
  const [diff, setDiff] = useState<string>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    load().then(
      (found) => (found === undefined ? setProblem('they are not kept any more') : setDiff(found)),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    )
  }, [load])
  const { files, rest } = useMemo(() => splitDiff(diff ?? ''), [diff])
  return (
    <>
      {problem && <p className="notice">The changed lines cannot be shown: {problem}</p>}
      {changed.map(({ path, change }, index) => {
        const lines = files.get(path)
        return (
          <details key={path} open={index < 5}>
            <summary className="mono">
              {neutralize(path)} <span className="muted small">({change})</span>
            </summary>
            {lines !== undefined && <DiffView text={lines} label={`Changes in ${neutralize(path)}`} />}
            {lines === undefined && diff !== undefined && <p className="muted small">not shown</p>}
          </details>
        )
      })}
      {diff === undefined && !problem && <p className="muted">loading</p>}
      {rest && <pre className="code output">{neutralize(rest)}</pre>}
    </>
  )
}
