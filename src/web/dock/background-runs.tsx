import type { Command } from '../../schema/command.ts'
import type { ChatView } from '../../view/chat-view.ts'

interface Props {
  view: ChatView
  onCommand: (command: Command) => void
}

/** Runs that go on while the person talks about something else. */
export function BackgroundRuns({ view, onCommand }: Props) {
  const { background } = view.session
  if (background.length === 0) return null
  return (
    <ul className="background" aria-label="In the background">
      {background.map(({ run_id, prompt, settings }) => (
        <li key={run_id}>
          <span className="background-words">
            {settings.agents.map(({ id }) => id).join(', ')}: {prompt.split('\n', 1)[0]}
          </span>
          <button
            type="button"
            className="button bare small push"
            onClick={() => onCommand({ type: 'interrupt', chat_id: view.chat_id, run_id })}
          >
            Stop<span className="hidden-words"> this run</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
