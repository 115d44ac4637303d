import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ChatHit, Client, Roster } from '../client/client.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { ChatId, TurnId } from '../schema/ids.ts'
import type { Picture } from '../schema/picture.ts'
import { type ChatView, emptyChatView } from '../view/chat-view.ts'
import { type ModeState, modeState, modeToggles } from '../view/mode-bar.ts'
import { ChatPane } from './chat-pane.tsx'
import { CandidateDialog } from './dialogs/candidate-dialog.tsx'
import { ChildDialog } from './dialogs/child-dialog.tsx'
import { PictureDialog } from './dialogs/picture-dialog.tsx'
import { SettingsDialog } from './dialogs/settings-dialog.tsx'
import { WorkspaceDialog } from './dialogs/workspace-dialog.tsx'
import { NewsList } from './news-list.tsx'
import { type TranscriptTools, TranscriptToolsContext } from './parts/transcript-tools.ts'
import { ChatList } from './side/chat-list.tsx'
import type { Extras } from './store/extras.ts'
import { useBackgroundNews } from './store/use-background-news.ts'
import { useChat } from './store/use-chat.ts'
import { useChats } from './store/use-chats.ts'
import { wholeText } from './store/whole-text.ts'
import { TeamPanel } from './team/team-panel.tsx'
import { TopBar, costWords } from './top/top-bar.tsx'

type Opened =
  | { kind: 'settings' }
  | { kind: 'workspace'; chat: ChatId; folder: string }
  | { kind: 'candidate'; label: string }
  | { kind: 'child'; turn: TurnId }
  | { kind: 'picture'; picture: Picture }

interface Props {
  client: Client
  extras: Extras
  roster: Roster
}

/** The whole page. */
export function App({ client, extras, roster }: Props) {
  const [current, setCurrent] = useState(readHash)
  const [drawer, setDrawer] = useState<'side' | 'team'>()
  const [words, setWords] = useState('')
  const [opened, setOpened] = useState<Opened>()
  /** The agent whose tab is open. */
  const [tab, setTab] = useState<string>()
  /** Chosen for the next new chat. */
  const [fresh, setFresh] = useState<ChatConfig>({ agent_mode: 'Act' })
  const chat = useChat(client, current)
  const view: ChatView = current ? chat.view : { ...emptyChatView, config: fresh }
  const hits = useSearch(client, words)

  const { chats, reachable, news, tell, dismiss } = useChats(client, current)
  useBackgroundNews(view, tell)
  const title = view.title || (chats.find(({ chat_id }) => chat_id === current)?.title ?? '')
  const waits = view.pendings.length > 0

  useEffect(() => {
    const onHash = (): void => setCurrent(readHash())
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  useEffect(() => {
    const name = title ? `${title} · Conclave` : 'Conclave'
    // Seen from another tab.
    document.title = waits ? `● ${name}` : name
  }, [title, waits])

  const openChat = useCallback((id: ChatId | undefined) => {
    setDrawer(undefined)
    location.hash = id ?? ''
  }, [])
  const showDiff = useCallback((label: string) => setOpened({ kind: 'candidate', label }), [])
  const tools = useMemo<TranscriptTools>(
    () => ({
      whole: (source) => wholeText(client, source),
      openChild: (turn) => setOpened({ kind: 'child', turn }),
      openPicture: (picture) => setOpened({ kind: 'picture', picture }),
    }),
    [client],
  )
  const run_id = view.run?.run_id
  const label = opened?.kind === 'candidate' ? opened.label : undefined
  const loadCandidate = useCallback(
    () => (run_id && label ? client.diff(run_id, label) : Promise.reject(new Error('there is no run'))),
    [client, run_id, label],
  )
  const answer = view.run?.agents.flatMap(({ answers }) => answers).find((given) => given.label === label)
  const loadConfig = useCallback(() => extras.config(), [extras])

  const agents = roster.agents.map(({ id }) => id)
  const modes = modeState(view, { agents, interactive: roster.interactive })
  const toggles = modeToggles(modes, view.chat_id, agents)
  const mode = view.config.agent_mode
  const { cost_usd, model_calls } = view.usage
  const connection = current ? chat.connection : reachable ? 'connected' : 'lost'
  const close = (): void => setOpened(undefined)
  return (
    <div className={view.run ? 'shell with-team' : 'shell'} data-mode={mode}>
      <TranscriptToolsContext value={tools}>
        <TopBar
          title={title}
          folder={view.folder || roster.folder}
          mode={chat.opening ? undefined : mode}
          description={toggles[0]?.description ?? ''}
          cost={costWords(cost_usd, model_calls, view.run?.budget.max_usd ?? roster.settings.max_usd)}
          context={contextOf(view, roster, modes, tab)}
          connection={connection}
          hasTeam={view.run !== null}
          onSide={() => setDrawer('side')}
          onTeam={() => setDrawer('team')}
        />
        <ChatList
          chats={chats}
          current={current}
          words={words}
          hits={hits}
          open={drawer === 'side'}
          now={Date.now()}
          onWords={setWords}
          onOpen={openChat}
          onNew={() => openChat(undefined)}
          onSettings={() => setOpened({ kind: 'settings' })}
          onProject={(chat, folder) => setOpened({ kind: 'workspace', chat, folder })}
        />
        <button
          type="button"
          className={drawer ? 'veil open' : 'veil'}
          aria-label="Close the panel"
          onClick={() => setDrawer(undefined)}
        />
        <ChatPane
          chat={current}
          view={view}
          opening={chat.opening}
          problem={chat.problem}
          past={chat.past}
          roster={roster}
          modes={modes}
          toggles={toggles}
          client={client}
          onDiff={showDiff}
          onFresh={setFresh}
          onCreated={openChat}
          tab={tab}
          onTab={setTab}
        />
        {view.run && (
          <TeamPanel
            run={view.run}
            open={drawer === 'team'}
            onClose={() => setDrawer(undefined)}
            onDiff={showDiff}
          />
        )}
        {opened?.kind === 'settings' && <SettingsDialog roster={roster} load={loadConfig} onClose={close} />}
        {opened?.kind === 'workspace' && (
          <WorkspaceDialog chat={opened.chat} folder={opened.folder} extras={extras} onClose={close} />
        )}
        {opened?.kind === 'child' && (
          <ChildDialog view={view} turn={opened.turn} onDiff={showDiff} onClose={close} />
        )}
        {opened?.kind === 'picture' && <PictureDialog picture={opened.picture} onClose={close} />}
        {answer && <CandidateDialog answer={answer} load={loadCandidate} onClose={close} />}
      </TranscriptToolsContext>
      <NewsList news={news} onOpen={openChat} onDismiss={dismiss} />
    </div>
  )
}

/** Of the agent whose tab is open, or of the one that answers in the chat. */
function contextOf(view: ChatView, { agents }: Roster, modes: ModeState, tab: string | undefined) {
  const shown =
    modes.agent_mode === 'multi' ? view.agents.find(({ agent_id }) => agent_id === tab) : undefined
  const tokens = shown ? shown.context_tokens : view.context_tokens
  if (!tokens) return undefined
  const id = shown?.agent_id ?? modes.active_agent
  return { tokens, window: agents.find((agent) => agent.id === id)?.context_window }
}

/** What is found for the words, once the person pauses; undefined while nothing is searched for. */
function useSearch(client: Client, words: string): ChatHit[] | undefined {
  const [hits, setHits] = useState<ChatHit[]>()
  useEffect(() => {
    if (words.trim() === '') {
      setHits(undefined)
      return undefined
    }
    const timer = setTimeout(() => {
      client.search(words).then(setHits, () => setHits([]))
    }, 150)
    return () => clearTimeout(timer)
  }, [client, words])
  return hits
}

function readHash(): ChatId | undefined {
  const id = location.hash.slice(1)
  return id.startsWith('chat_') ? (id as ChatId) : undefined
}
