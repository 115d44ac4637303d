import { useEffect, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { plural } from '../parts/words.ts'
import type { Roster } from '../../client/client.ts'
import type { ConfigReport } from '../store/extras.ts'

interface Props {
  roster: Roster
  load: () => Promise<ConfigReport>
  onClose: () => void
}

/** The config as the server reads it. What is wrong is shown at its line; it is changed in its file, never from here. */
export function SettingsDialog({ roster, load, onClose }: Props) {
  const [config, setConfig] = useState<ConfigReport>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    load().then(setConfig, (error: unknown) => setProblem(String(error)))
  }, [load])
  return (
    <Dialog title="Settings" onClose={onClose}>
      {problem && <p className="notice bad">{problem}</p>}
      <dl className="facts">
        <dt>Version</dt>
        <dd>{roster.version}</dd>
        <dt>Folder</dt>
        <dd className="mono">{roster.folder}</dd>
        <dt>Agents</dt>
        <dd>
          {roster.agents.map(({ id, model }) => (
            <span key={id} className="roster-agent">
              {id} <span className="muted">{model}</span>
            </span>
          ))}
        </dd>
        {config && (
          <>
            <dt>Config</dt>
            <dd className="mono">{config.file ?? 'none: the built-in defaults'}</dd>
          </>
        )}
      </dl>
      {roster.notice && <p className="notice">{roster.notice}</p>}
      {config && config.problems.length > 0 && (
        <p className="notice bad">{plural(config.problems.length, 'problem')} in the config</p>
      )}
      {config && (config.source !== '' || config.problems.length > 0) && <ConfigLines config={config} />}
    </Dialog>
  )
}

function ConfigLines({ config }: { config: ConfigReport }) {
  const lines = config.source.split('\n')
  // What is wrong with the whole file, or behind its end, is said at the line that is next to it.
  const at = (line: number): number => Math.min(Math.max(line, 1), lines.length)
  return (
    <ol className="config-lines" tabIndex={0} aria-label="Config">
      {lines.map((line, index) => {
        const problems = config.problems.filter((problem) => at(problem.line) === index + 1)
        return (
          <li key={index} className={problems.length > 0 ? 'wrong' : undefined}>
            <span className="number" aria-hidden="true">
              {index + 1}
            </span>
            <span>{line}</span>
            {problems.map(({ message, suggestion, column }) => (
              <span key={`${column}${message}`} className="problem">
                {index + 1}:{column} {message}
                {suggestion && ` · ${suggestion}`}
              </span>
            ))}
          </li>
        )
      })}
    </ol>
  )
}
