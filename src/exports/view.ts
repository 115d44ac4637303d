/** `conclave/view`: what people see of a chat, as data. Fold envelopes into it and draw it. */
export { type ChatHead, beginChat, foldEarlier } from '../view/chat-history.ts'
export {
  type AgentView,
  type ChatView,
  type OpenPending,
  type UnderWay,
  childTranscript,
  emptyChatView,
  foldAll,
  foldChat,
} from '../view/chat-view.ts'
export { type Live, liveItems } from '../view/live.ts'
export { type ModeState, type ModeToggle, modeState, modeToggles, tabCommand } from '../view/mode-bar.ts'
export { neutralize } from '../view/neutralize.ts'
export { type PendingCard, cardText, pendingCard } from '../view/pending-card.ts'
export { type CoordinationRow, type RunView, coordinationTable } from '../view/run-view.ts'
export { type Transcript, itemAt, itemCount, itemsBetween, placeOf } from '../view/transcript.ts'
export type * from '../view/transcript-item.ts'
