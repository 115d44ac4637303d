import type { RunView } from '../../view/run-view.ts'
import type { TranscriptItem } from '../../view/transcript-item.ts'
import { type Block, emptyBlock } from '../draw/block.ts'
import type { Theme } from '../draw/theme.ts'
import { agentMessage, userMessage } from './messages.ts'
import * as notes from './notes.ts'
import * as team from './team.ts'
import { toolCall } from './tool-call.ts'

export interface ItemOptions {
  width: number
  expanded: boolean
  output?: string
  run?: RunView
}

/** What a card shows that is not in its item: what a running call prints, and the run it launched. */
export type ItemMore = { key: string } & Pick<ItemOptions, 'output' | 'run'>

/** An item of the transcript as lines, with what can be clicked in them. Ends with no blank line. */
export function drawItem(theme: Theme, item: TranscriptItem, options: ItemOptions): Block {
  switch (item.kind) {
    case 'user_message':
      return userMessage(theme, item, options)
    case 'agent_message':
      return agentMessage(theme, item, options)
    case 'tool_call':
      return toolCall(theme, item, options)
    case 'phase':
      return notes.phase(theme, item, options)
    case 'observation':
      return notes.observation(theme, item, options)
    case 'guidance':
      return notes.guidance(theme, item, options)
    case 'injected_update':
      return notes.injectedUpdate(theme, item, options)
    case 'reminder':
      return notes.aside(theme, `reminder ${item.count} to ${item.agent_id ?? 'the agent'}`, options)
    case 'retry':
      return notes.retry(theme, item, options)
    case 'guardrail':
      return notes.aside(theme, `going in circles: ${item.detail}`, options, 'wait')
    case 'answer_submitted':
      return team.answerSubmitted(theme, item, options)
    case 'vote_cast':
      return team.voteCast(theme, item, options)
    case 'vote_rejected':
      return notes.aside(theme, `${item.agent_id ?? ''} vote not counted: ${item.reason}`, options, 'wait')
    case 'voting_completed':
      return team.votingCompleted(theme, item, options)
    case 'override':
      return team.override(theme, item, options)
    case 'presentation':
      return notes.aside(theme, `${item.agent_id ?? ''} presents (${item.strategy})`, options, 'accent')
    case 'written_files':
      return notes.writtenFiles(theme, item, options)
    case 'run_finished':
      return item.status === 'complete' ? emptyBlock : team.runFinished(theme, item, options)
    case 'notice':
      return notes.notice(theme, item, options)
  }
}
