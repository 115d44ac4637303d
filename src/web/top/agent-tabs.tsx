import type { AgentView } from '../../view/chat-view.ts'
import type { ModeState } from '../../view/mode-bar.ts'
import type { RunView } from '../../view/run-view.ts'

interface Props {
  agents: readonly string[]
  seen: readonly AgentView[]
  modes: ModeState
  run: RunView | null
  /** The tab that is shown; the whole chat when undefined. */
  shown: string | undefined
  onShow: (agent: string | undefined) => void
}

/** The chat, and a tab for each agent. In single mode a tab chooses who answers, and the others are grey. */
export function AgentTabs({ agents, seen, modes, run, shown, onShow }: Props) {
  const single = modes.agent_mode === 'single'
  const all = [...new Set([...agents, ...seen.map(({ agent_id }) => agent_id)])]
  if (all.length < 2) return null
  const selected = single ? undefined : shown
  return (
    <div className="tabs" role="tablist" aria-label="Agents">
      {!single && (
        <button
          type="button"
          role="tab"
          className="tab"
          aria-selected={selected === undefined}
          onClick={() => onShow(undefined)}
        >
          Chat
        </button>
      )}
      {all.map((agent, index) => {
        const isActive = single ? agent === modes.active_agent : agent === selected
        const state =
          run?.status === 'working' ? run.agents.find(({ agent_id }) => agent_id === agent)?.state : undefined
        return (
          <button
            key={agent}
            type="button"
            role="tab"
            className={single && !isActive ? 'tab greyed' : 'tab'}
            aria-selected={isActive}
            disabled={single && modes.locked}
            onClick={() => onShow(agent)}
          >
            {index + 1} {agent}
            {state && <span className="muted"> {state}</span>}
          </button>
        )
      })}
    </div>
  )
}
