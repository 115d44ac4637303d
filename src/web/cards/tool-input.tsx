import { neutralize } from '../../view/neutralize.ts'
import type { ToolCall } from '../../schema/turn-event.ts'

/** Exactly what would run or was run. Hidden characters are made visible. */
export function ToolInput({ call }: { call: ToolCall }) {
  const { command, ...rest } = call.input
  const others = Object.entries(typeof command === 'string' ? rest : call.input)
  return (
    <div className="tool-input">
      {typeof command === 'string' && (
        <pre className="code" tabIndex={0} aria-label="Command">
          {neutralize(command)}
        </pre>
      )}
      {others.map(([name, value]) => (
        <div key={name} className="tool-field">
          <span className="muted small">{neutralize(name)}</span>
          <pre className="code" tabIndex={0} aria-label={name}>
            {neutralize(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
          </pre>
        </div>
      ))}
    </div>
  )
}
