import type { TurnId } from '../../schema/ids.ts'
import { type ChatView, childTranscript } from '../../view/chat-view.ts'
import { liveItems } from '../../view/live.ts'
import { itemCount } from '../../view/transcript.ts'
import { Dialog } from '../parts/dialog.tsx'
import { TranscriptPane } from '../transcript/transcript-pane.tsx'

interface Props {
  view: ChatView
  turn: TurnId
  onDiff: (label: string) => void
  onClose: () => void
}

const nothing = (): void => undefined

/** What a sub-agent said and did, while it works and afterwards. */
export function ChildDialog({ view, turn, onDiff, onClose }: Props) {
  const transcript = childTranscript(view, turn)
  return (
    <Dialog title="Steps of a sub-agent" wide onClose={onClose}>
      {itemCount(transcript) === 0 ? (
        <p className="muted">Its log has not been read: use Read earlier steps in the chat.</p>
      ) : (
        <div className="child-transcript">
          <TranscriptPane
            identity={turn}
            transcript={transcript}
            live={liveItems(view.live, turn)}
            past={{}}
            outputs={view.live}
            plan={null}
            asker="The agent that asked"
            drafts={{}}
            onDraft={nothing}
            onDiff={onDiff}
          />
        </div>
      )}
    </Dialog>
  )
}
