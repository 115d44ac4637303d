import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { Client, Roster } from '../client/client.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { Command, CommandResult } from '../schema/command.ts'
import type { ChatId, StreamId } from '../schema/ids.ts'
import type { Picture } from '../schema/picture.ts'
import type { ChatView } from '../view/chat-view.ts'
import { liveItems } from '../view/live.ts'
import { type ModeState, type ModeToggle, tabCommand } from '../view/mode-bar.ts'
import { Announcer } from './announcer.tsx'
import type { Sent } from './dock/composer.tsx'
import { Dock } from './dock/dock.tsx'
import { useFileDrop } from './parts/use-file-drop.ts'
import type { PlanDraft } from './plan/plan-draft.ts'
import { Attachments } from './store/attachments.ts'
import { createChat, sendMessage } from './store/send.ts'
import type { Past } from './store/use-chat.ts'
import { AgentTabs } from './top/agent-tabs.tsx'
import { TranscriptPane } from './transcript/transcript-pane.tsx'

interface Props {
  chat: ChatId | undefined
  view: ChatView
  opening: boolean
  problem: string | undefined
  past: Past
  roster: Roster
  modes: ModeState
  toggles: readonly ModeToggle[]
  client: Client
  onDiff: (label: string) => void
  onFresh: (config: ChatConfig) => void
  onCreated: (chat: ChatId) => void
  /** The agent whose tab is open; the whole chat when undefined. */
  tab: string | undefined
  onTab: (agent: string | undefined) => void
}

/** The transcript, and below it everything a person can do. */
export function ChatPane(props: Props) {
  const { chat, view, opening, problem, past, roster, modes, toggles, client, tab } = props
  const { onDiff, onFresh, onCreated, onTab } = props
  const [drafts, setDrafts] = useState<Readonly<Record<string, PlanDraft>>>({})
  /** Belongs to the chat it was said in. */
  const [refusal, setRefusal] = useState<{ chat: ChatId | undefined; reason: string }>()
  const onDraft = useCallback(
    (key: string, draft: PlanDraft) => setDrafts((all) => ({ ...all, [key]: draft })),
    [],
  )
  const attachments = useMemo(() => new Attachments(client), [client])
  const identity = chat ?? 'new'
  useSyncExternalStore(attachments.subscribe, () => attachments.of(identity))
  const { over, handlers } = useFileDrop((files) => void attachments.add(identity, files))

  const report = async (work: () => Promise<CommandResult>, where = () => chat): Promise<boolean> => {
    try {
      const result = await work()
      setRefusal(result.accepted ? undefined : { chat: where(), reason: result.reason })
      return result.accepted
    } catch (error) {
      setRefusal({ chat: where(), reason: error instanceof Error ? error.message : String(error) })
      return false
    }
  }
  const execute = (command: Command): void => {
    if (chat) void report(() => client.execute(command))
    else onFresh({ ...view.config, ...chosen(command) })
  }

  const work = view.under_way
  const agent =
    modes.agent_mode === 'multi' ? view.agents.find(({ agent_id }) => agent_id === tab) : undefined
  const live: StreamId | null = agent
    ? agent.turn_id
    : work?.kind === 'turn'
      ? work.turn_id
      : presenting(view)
  const guided = agent?.turn_id ?? (work?.kind === 'turn' ? work.turn_id : null)

  const send = async (text: string, pictures: readonly Picture[] = []): Promise<Sent> => {
    let target = chat
    const sent = await report(
      async () => {
        if (guided) return client.execute({ type: 'give_guidance', turn_id: guided, text })
        if (chat) return sendMessage(client, roster, modes, chat, text, pictures)
        const title = text || pictures.map(({ name }) => name ?? 'picture').join(', ')
        const created = await createChat(client, roster.folder, title, view.config)
        target = created
        try {
          return await sendMessage(client, roster, modes, created, text, pictures)
        } finally {
          onCreated(created)
        }
      },
      () => target,
    )
    return { sent, chat: target }
  }
  const chooseTab = (name: string | undefined): void => {
    onTab(name)
    const command = name === undefined ? null : tabCommand(modes, view.chat_id, name)
    if (command) execute(command)
  }
  const agents = roster.agents.map(({ id }) => id)
  return (
    <main className="middle" aria-label="Chat" {...handlers}>
      {over && <p className="drop-here">Drop pictures here</p>}
      <Announcer view={view} />
      <AgentTabs
        agents={agents}
        seen={view.agents}
        modes={modes}
        run={view.run}
        shown={tab}
        onShow={chooseTab}
      />
      {problem && <p className="notice bad chat-problem">{problem}</p>}
      {chat ? (
        <TranscriptPane
          identity={`${chat} ${agent?.agent_id ?? ''}`}
          transcript={agent?.transcript ?? view.transcript}
          live={live ? liveItems(view.live, live) : []}
          past={past}
          outputs={view.live}
          plan={view.plan}
          drafts={drafts}
          onDraft={onDraft}
          onDiff={onDiff}
        />
      ) : (
        <Welcome roster={roster} />
      )}
      <Dock
        chat={chat}
        opening={opening}
        view={view}
        roster={roster}
        modes={modes}
        toggles={toggles}
        client={client}
        refusal={refusal?.chat === chat ? refusal?.reason : undefined}
        drafts={drafts}
        guides={guided !== null}
        attachments={attachments}
        onDraft={onDraft}
        onDiff={onDiff}
        onCommand={execute}
        onReport={report}
        onSend={send}
        onDismiss={() => setRefusal(undefined)}
      />
    </main>
  )
}

/** While the team's answer is presented, it is written below the chat. */
function presenting({ run }: ChatView): StreamId | null {
  if (run?.stage !== 'presenting') return null
  return run.agents.find(({ agent_id }) => agent_id === run.presenter)?.turn_id ?? null
}

/** What a toggle means for a chat that does not exist yet. */
function chosen(command: Command): Partial<ChatConfig> {
  if (command.type === 'set_agent_mode') return { agent_mode: command.agent_mode }
  if (command.type !== 'set_team') return {}
  const { type: _, chat_id: __, ...team } = command
  return team
}

function Welcome({ roster: { folder, agents, notice } }: { roster: Roster }) {
  return (
    <div className="transcript welcome-frame">
      <div className="welcome">
        <h2>What should be done?</h2>
        <p className="muted">
          {agents.length === 1 ? `${agents[0]?.id} works` : `${agents.map(({ id }) => id).join(', ')} work`}{' '}
          in <span className="mono">{folder}</span>. In Plan mode agents only look and propose; in Act mode
          they carry out what you ask, and ask before anything large.
        </p>
        {notice && <p className="notice">{notice}</p>}
      </div>
    </div>
  )
}
