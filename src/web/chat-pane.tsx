import { useCallback, useState } from 'react'
import type { Client, Roster } from '../client/client.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { Command, CommandResult } from '../schema/command.ts'
import type { ChatId, StreamId } from '../schema/ids.ts'
import type { ChatView } from '../view/chat-view.ts'
import { liveItems } from '../view/live.ts'
import { type ModeState, type ModeToggle, tabCommand } from '../view/mode-bar.ts'
import { Announcer } from './announcer.tsx'
import { Dock } from './dock/dock.tsx'
import type { PlanDraft } from './plan/plan-draft.ts'
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
  const [refusal, setRefusal] = useState<string>()
  const onDraft = useCallback(
    (key: string, draft: PlanDraft) => setDrafts((all) => ({ ...all, [key]: draft })),
    [],
  )

  const report = async (work: () => Promise<CommandResult>): Promise<boolean> => {
    try {
      const result = await work()
      setRefusal(result.accepted ? undefined : result.reason)
      return result.accepted
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error))
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

  const send = (text: string): Promise<boolean> =>
    report(async () => {
      if (guided) return client.execute({ type: 'give_guidance', turn_id: guided, text })
      if (chat) return sendMessage(client, roster, modes, chat, text)
      const created = await createChat(client, roster.folder, text, view.config)
      const result = await sendMessage(client, roster, modes, created, text)
      onCreated(created)
      return result
    })
  const chooseTab = (name: string | undefined): void => {
    onTab(name)
    const command = name === undefined ? null : tabCommand(modes, view.chat_id, name)
    if (command) execute(command)
  }
  const agents = roster.agents.map(({ id }) => id)
  return (
    <main className="middle" aria-label="Chat">
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
        refusal={refusal}
        drafts={drafts}
        guides={guided !== null}
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
