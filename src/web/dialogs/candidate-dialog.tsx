import { useEffect, useMemo, useState } from 'react'
import { neutralize } from '../../view/neutralize.ts'
import type { AnswerView } from '../../view/run-view.ts'
import { compareTexts } from '../diff/compare-texts.ts'
import { SideBySide } from '../diff/diff-view.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { plural } from '../parts/words.ts'
import type { CandidateFile } from '../store/extras.ts'
import { EvidenceMarks } from '../team/evidence-marks.tsx'

interface Props {
  answer: AnswerView
  load: (path: string) => Promise<CandidateFile>
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
      {changed.map(({ path, change }, index) => (
        <details key={path} open={index < 5}>
          <summary className="mono">
            {neutralize(path)} <span className="muted small">({change})</span>
          </summary>
          <ChangedFile path={path} load={load} />
        </details>
      ))}
      {changed.length === 0 && <p className="muted">It changes no files.</p>}
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

function ChangedFile({ path, load }: { path: string; load: Props['load'] }) {
  const [file, setFile] = useState<CandidateFile>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    load(path).then(setFile, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    )
  }, [load, path])
  const rows = useMemo(
    () => (file ? compareTexts(file.before?.text ?? '', file.after?.text ?? '') : []),
    [file],
  )
  if (problem) return <p className="notice">The changed lines cannot be shown: {problem}</p>
  if (!file) return <p className="muted">loading</p>
  return <SideBySide rows={rows} label={`Changes in ${path}`} />
}
