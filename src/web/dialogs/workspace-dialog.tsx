import { useCallback, useEffect, useState } from 'react'
import { ClientError } from '../../client/client.ts'
import { neutralize } from '../../view/neutralize.ts'
import { CodeBlock, Markdown } from '../markdown/markdown.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { folderName } from '../parts/words.ts'
import type { Extras, WorkspaceEntry } from '../store/extras.ts'

interface Props {
  chat: string
  folder: string
  extras: Extras
  onClose: () => void
}

type Listed = Extract<WorkspaceEntry, { kind: 'folder' }>

const nothing: Listed = { kind: 'folder', path: '', entries: [], truncated: false }

/** What a project keeps: CONTEXT.md, the records of its runs, deliverables. */
export function WorkspaceDialog({ chat, folder, extras, onClose }: Props) {
  const [listed, setListed] = useState<Listed>()
  const [shown, setShown] = useState<Extract<WorkspaceEntry, { kind: 'file' }>>()
  const [problem, setProblem] = useState<string>()
  const go = useCallback(
    (path: string) => {
      extras.workspace(chat, path).then(
        (entry) => {
          setProblem(undefined)
          if (entry.kind === 'folder') setListed({ ...entry, path })
          else setShown(entry)
        },
        (error: unknown) => {
          if (path === '' && error instanceof ClientError && error.status === 404) setListed(nothing)
          else setProblem(error instanceof Error ? error.message : String(error))
        },
      )
    },
    [extras, chat],
  )
  useEffect(() => go(''), [go])
  const here = listed?.path ?? ''
  return (
    <Dialog title={`Workspace of ${folderName(folder)}`} wide onClose={onClose}>
      {problem && <p className="notice">{problem}</p>}
      {here === '' && listed?.entries.length === 0 && (
        <p className="muted">
          Nothing is kept here yet. Plans, records of runs, CONTEXT.md and deliverables will be.
        </p>
      )}
      <div className="browser">
        <ul className="file-list">
          {here !== '' && <Item name=".." onOpen={() => go(here.split('/').slice(0, -1).join('/'))} />}
          {listed?.entries.map(({ name, kind, size }) => (
            <Item
              key={name}
              name={kind === 'folder' ? `${name}/` : name}
              note={kind === 'folder' ? undefined : `${size} B`}
              onOpen={() => go(here === '' ? name : `${here}/${name}`)}
            />
          ))}
          {listed?.truncated && <li className="muted small">the rest is not listed</li>}
        </ul>
        {shown && <FileText file={shown} />}
      </div>
    </Dialog>
  )
}

function Item({ name, note, onOpen }: { name: string; note?: string; onOpen: () => void }) {
  return (
    <li>
      <button type="button" className="button bare small" onClick={onOpen}>
        <span className="mono">{neutralize(name)}</span> {note && <span className="muted">{note}</span>}
      </button>
    </li>
  )
}

function FileText({ file }: { file: Extract<WorkspaceEntry, { kind: 'file' }> }) {
  const { path, text, truncated } = file
  return (
    <section aria-label={path}>
      <h3 className="mono">{neutralize(path)}</h3>
      {path.endsWith('.md') ? (
        <Markdown text={text} />
      ) : (
        <CodeBlock text={text} language={path.split('.').at(-1)} />
      )}
      {truncated && <p className="muted small">the rest is not shown</p>}
    </section>
  )
}
