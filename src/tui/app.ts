import { TuiAltScreen, TuiMainScreen, type Component, type Terminal } from '@earendil-works/pi-tui'
import type { Envelope } from '../schema/envelope.ts'
import type { ChatView } from '../view/chat-view.ts'
import { emptyChatView } from '../view/empty-chat-view.ts'
import type { ChatSession } from './chat-session.ts'
import { type Theme, makeTheme } from './draw/theme.ts'
import type { Beginning, Booted, Host } from './host.ts'
import { editorTheme } from './input/editor-theme.ts'
import { PromptEditor } from './input/prompt-editor.ts'
import { handleInput } from './handle-input.ts'
import { handleMouse } from './handle-mouse.ts'
import { readShown } from './read-shown.ts'
import { type Frame, frame } from './screen/frame.ts'
import { itemList } from './screen/item-list.ts'
import { keepPlace } from './screen/keep-place.ts'
import { makeScene } from './screen/make-scene.ts'
import type { Scene } from './screen/scene.ts'
import type { TranscriptPane } from './screen/transcript-pane.ts'
import { type Action, type Intent, type UiAction, isUiAction } from './state/action.ts'
import { reduce } from './state/reduce.ts'
import { type UiState, initialUi } from './state/ui-state.ts'

/** Changes of the chat are drawn this often at most. */
const FRAME_MS = 33

/** Nobody has read a card sooner than this. */
const FRESH_MS = 300

/** The screen: draws the chat and the state of the screen, and turns keys and clicks into actions. */
export class App {
  ui: UiState
  host: Host | undefined
  session: ChatSession | undefined
  readonly editor: PromptEditor
  readonly beginning: Beginning
  readonly tui: TuiAltScreen | TuiMainScreen
  branch: string | undefined
  /** What is on the screen. */
  frame: Frame | undefined
  /** What the thing under the pointer means. */
  hover: string | undefined
  /** Pressed before the key that is handled now: a key counts as pressed twice only when nothing came between. */
  lastKey: string | undefined
  /** Set by the start: keys that do more than change the screen. True when it was one. */
  onKey: (name: string, at: { completing: boolean }) => boolean = () => false
  /** Other things than envelopes that should be looked at when the chat changes. */
  onEnvelope: (envelope?: Envelope) => void = () => undefined
  readonly #terminal: Terminal
  /** Loaded with the first thing to show: Markdown is the largest part of the program. */
  #pane: TranscriptPane | undefined
  /** Loaded after the first frame. */
  #perform: ((app: App, intent: Intent) => Promise<void>) | undefined
  #theme: Theme
  #scene: Scene | undefined
  #timer: NodeJS.Timeout | undefined
  #clock: NodeJS.Timeout | undefined
  /** Until somebody scrolls again. */
  #readFailed = false
  /** The pending whose card or window is on the screen, and since when. */
  #shown: { pending: string | undefined; since: number } = { pending: undefined, since: 0 }
  readonly #quit = Promise.withResolvers<void>()
  readonly #live = Promise.withResolvers<void>()
  /** Resolves when the person leaves. */
  readonly left: Promise<void> = this.#quit.promise
  /** Resolves when there is a session to ask. */
  readonly live: Promise<void> = this.#live.promise

  constructor(terminal: Terminal, beginning: Beginning) {
    this.#terminal = terminal
    this.beginning = beginning
    this.ui = initialUi('dark')
    this.#theme = makeTheme('dark', beginning.color)
    this.tui = beginning.alternate_screen
      ? new TuiAltScreen(terminal, true, undefined, { wheelScrollLines: 3 })
      : new TuiMainScreen(terminal, true)
    const root: Component = {
      render: (width) => this.#draw(width),
      handleInput: (data) => handleInput(this, data),
      handleMouse: (event) => handleMouse(this, event),
      invalidate: () => undefined,
    }
    this.editor = new PromptEditor(
      this.tui,
      editorTheme(() => this.#theme),
    )
    this.editor.focused = true
    this.editor.onSubmit = (text) => this.dispatch({ type: 'submit', text })
    if (this.tui instanceof TuiAltScreen) this.tui.setLayoutRoot(root)
    else this.tui.addChild(root)
    this.tui.setFocus(root)
  }

  get view(): ChatView {
    return this.session?.view ?? { ...emptyChatView, config: { agent_mode: 'Act', ...this.beginning.config } }
  }

  get scene(): Scene {
    this.#scene ??= makeScene({
      view: this.view,
      folder: this.beginning.folder,
      ...(this.branch !== undefined && { branch: this.branch }),
      agents: this.host?.roster.agents ?? [],
      interactive: this.host?.roster.interactive ?? false,
      starting: this.host === undefined || this.session?.opening === true,
      now: Date.now(),
      ...(this.watched !== undefined && { watching: this.watched }),
      ...(this.ui.team_run && { team_run: this.ui.team_run }),
      inside: this.ui.inside,
    })
    return this.#scene
  }

  start(): void {
    this.tui.start()
    this.tui.renderNow()
  }

  /** Everything is there: from now on the chat is live. */
  async ready({ host, chat }: Booted): Promise<void> {
    const { ChatSession: Session } = await import('./chat-session.ts')
    const { completions } = await import('./input/completions.ts')
    this.#perform = (await import('./perform.ts')).perform
    this.host = host
    this.session = new Session({
      client: host.client,
      roster: host.roster,
      config: this.beginning.config,
      onChange: (envelope) => this.#changed(envelope),
      onFailure: (error) => this.fail(error),
      onRead: (takeIn) => this.#stay(takeIn),
      isAtEnd: () => this.ui.scroll.follow && this.ui.search === undefined && this.ui.inside.length === 0,
    })
    this.editor.setAutocompleteProvider(
      completions({ commands: () => this.commandList(), files: () => host.files() }),
    )
    for (const text of host.notices) this.dispatch({ type: 'say', text })
    if (chat) await this.session.open(chat)
    this.#live.resolve()
    this.refresh()
  }

  dispatch(...actions: Action[]): void {
    for (const action of actions) {
      if (isUiAction(action)) this.#reduce(action)
      else void this.#carryOut(action).catch((error: unknown) => this.fail(error))
    }
    this.refresh()
  }

  /** At once when it can: the next key may count on it. */
  #carryOut(intent: Intent): Promise<void> {
    if (this.#perform) return this.#perform(this, intent)
    return import('./perform.ts').then(({ perform }) => perform(this, intent))
  }

  fail(error: unknown): void {
    this.dispatch({
      type: 'say',
      text: error instanceof Error ? error.message : String(error),
      tone: 'error',
    })
  }

  quit(): void {
    this.#quit.resolve()
  }

  refresh(): void {
    this.#scene = undefined
    this.tui.requestRender()
  }

  redraw(): void {
    this.#scene = undefined
    this.tui.requestRender(true)
  }

  stop(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#clock)
    this.session?.close()
    // On a screen of its own nothing is left behind; drawn inline, the last frame stays and the shell goes on below it.
    this.tui.stop({ preserveScreen: this.beginning.alternate_screen })
  }

  /** All commands, for completion. Set by the start, so that they are loaded with the rest. */
  commandList: () => Promise<{ name: string; about: string; takes?: string }[]> = async () => []

  /** Ends the long look through the chat that is under way. */
  stopLooking: () => void = () => undefined

  /** The agent of a team whose work is shown instead of the chat. */
  watched: string | undefined

  #changed(envelope?: Envelope): void {
    if (!this.#pane && (this.session?.chat || this.session?.opening)) void this.#showTranscript()
    this.onEnvelope(envelope)
    this.#keepClock()
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.refresh()
    }, FRAME_MS)
  }

  async #showTranscript(): Promise<void> {
    const { TranscriptPane: Pane } = await import('./screen/transcript-pane.ts')
    this.#pane ??= new Pane()
    this.refresh()
  }

  /** Elapsed time is shown only while something goes on: an idle screen does nothing at all. */
  #keepClock(): void {
    const working = this.view.under_way !== null
    if (working === (this.#clock !== undefined)) return
    if (working) this.#clock = setInterval(() => this.refresh(), 1000)
    else {
      clearInterval(this.#clock)
      this.#clock = undefined
    }
  }

  #reduce(action: UiAction): void {
    if (action.type === 'scroll') {
      const { team = 0, transcript } = this.frame ?? {}
      const most = Math.max(0, team - (transcript?.height ?? 0))
      if (this.ui.team_tab) return this.#reduce({ type: 'scroll_team', lines: action.lines, most })
      if (!this.#pane) return
      const to = this.#pane.move(this.#theme, itemList(this.scene), this.ui, action.lines)
      this.ui = { ...this.ui, scroll: to }
      this.#readFailed = false
      return
    }
    if (action.type === 'scroll_to' && action.end === 'top' && this.session?.unread_log) {
      void import('./tasks/go-to-top.ts').then(({ goToTop }) => goToTop(this))
      return
    }
    this.ui = reduce(this.ui, action)
    if (action.type === 'set_theme') this.#theme = makeTheme(action.theme, this.beginning.color)
  }

  #draw(width: number): string[] {
    const height = this.#terminal.rows
    this.editor.focused = this.ui.modal === undefined && this.ui.search === undefined
    this.frame = frame({
      theme: this.#theme,
      scene: this.scene,
      ui: this.ui,
      ...(this.#pane && { pane: this.#pane }),
      input: this.editor.draw(Math.max(4, width - 2)),
      width,
      height,
      ...(this.hover !== undefined && { hover: this.hover }),
    })
    const { modal } = this.ui
    // Behind a modal nobody sees it.
    const pending =
      modal?.kind === 'launch'
        ? `window ${modal.pending_id}`
        : this.frame.card && this.scene.pendings[0]?.pending.id
    if (pending !== this.#shown.pending) this.#shown = { pending, since: performance.now() }
    if (this.#pane && !this.#readFailed) {
      readShown(this, this.#pane.shown)?.catch((error: unknown) => {
        this.#readFailed = true
        this.fail(error)
      })
    }
    return this.frame.lines
  }

  /** What is on the screen stays there when something is put before it. */
  #stay(change: () => void): void {
    const before = itemList(this.scene)
    change()
    this.#scene = undefined
    this.ui = keepPlace(this.ui, before, itemList(this.scene))
  }

  /** The card, or the window of a run to approve, has only just appeared. */
  isFresh(): boolean {
    return performance.now() - this.#shown.since < FRESH_MS
  }
}
