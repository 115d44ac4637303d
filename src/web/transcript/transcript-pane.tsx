import { useCallback, useRef, useState } from 'react'
import type { ChatPlan } from '../../core/session/state.ts'
import type { Live } from '../../view/live.ts'
import { type Transcript, itemAt, itemCount } from '../../view/transcript.ts'
import type { TranscriptItem } from '../../view/transcript-item.ts'
import { type PlanDraft, emptyDraft, planKey } from '../plan/plan-draft.ts'
import type { Past } from '../store/use-chat.ts'
import { TranscriptRow } from './transcript-row.tsx'
import { VirtualList, type VirtualListHandle } from './virtual-list.tsx'

interface Props {
  /** Changes with the chat and the tab. */
  identity: string
  transcript: Transcript
  /** What is being written, below everything else. */
  live: readonly TranscriptItem[]
  past: Past
  /** What running calls print, by stream. */
  outputs: Live
  plan: ChatPlan | null
  /** Who asked, when it was not the person. */
  asker?: string
  drafts: Readonly<Record<string, PlanDraft>>
  onDraft: (key: string, draft: PlanDraft) => void
  onDiff: (label: string) => void
}

export function TranscriptPane(props: Props) {
  const { identity, transcript, live, past, outputs, plan, asker, drafts, onDraft, onDiff } = props
  const [following, setFollowing] = useState(true)
  const list = useRef<VirtualListHandle>(null)
  const stored = itemCount(transcript)
  const at = (row: number): TranscriptItem | undefined =>
    row < stored ? itemAt(transcript, row) : live[row - stored]
  const key = plan ? planKey(plan) : ''
  const draftThis = useCallback((draft: PlanDraft) => onDraft(key, draft), [onDraft, key])
  const toBeginning = async (): Promise<void> => {
    await past.all?.()
    list.current?.toStart()
  }
  const row = (index: number) => {
    const item = at(index)
    if (!item) return null
    const isPlan = item.kind === 'agent_message' && item.message_type === 'Plan'
    const isOpen =
      isPlan && plan?.status === 'proposed' && item.plan !== undefined && planKey(item.plan) === key
    return (
      <TranscriptRow
        item={item}
        asker={asker}
        onDraft={draftThis}
        onDiff={onDiff}
        {...(isPlan && { plan })}
        {...(isOpen && { draft: drafts[key] ?? emptyDraft })}
        {...(item.kind === 'tool_call' &&
          item.status === 'running' && { output: outputs.get(item.stream)?.output.get(item.call.id) })}
      />
    )
  }
  return (
    <div className="transcript">
      <VirtualList
        ref={list}
        identity={identity}
        count={stored + live.length}
        rowKey={(index) => at(index)?.id ?? String(index)}
        row={row}
        label="Transcript"
        onFollow={setFollowing}
        onNearStart={past.more}
      />
      {!following && (past.steps || past.all) && (
        <div className="earlier">
          {past.all && (
            <button type="button" className="button small" onClick={() => void toBeginning()}>
              ⇑ To the beginning
            </button>
          )}
          {past.steps && (
            <button type="button" className="button small" onClick={past.steps}>
              ↑ Read earlier steps
            </button>
          )}
        </div>
      )}
      {!following && (
        <button type="button" className="button to-end" onClick={() => list.current?.toEnd()}>
          ↓ To the end
        </button>
      )}
    </div>
  )
}
