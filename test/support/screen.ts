import { KeybindingsManager, TUI_KEYBINDINGS, type Terminal, setKeybindings } from '@earendil-works/pi-tui'
import type { Client, Roster } from '../../src/client/client.ts'
import type { CoordinationConfig } from '../../src/core/modes/overrides.ts'
import { coordinationFor } from '../../src/core/modes/overrides.ts'
import type { RunMessageSettings } from '../../src/schema/command.ts'
import { App } from '../../src/tui/app.ts'
import type { Host } from '../../src/tui/host.ts'

/** A terminal in memory: what is drawn is counted and handed on, keys are pressed by a call. */
export class MemoryTerminal implements Terminal {
  readonly kittyProtocolActive = false
  written = 0
  onWrite: (data: string) => void = () => undefined
  press: (data: string) => void = () => undefined
  columns: number
  rows: number

  constructor(columns: number, rows: number) {
    this.columns = columns
    this.rows = rows
  }

  start(onInput: (data: string) => void): void {
    this.press = onInput
  }

  write(data: string): void {
    this.written += data.length
    this.onWrite(data)
  }

  async drainInput(): Promise<void> {}
  stop(): void {}
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}
}

/** The terminal UI in this process, on a terminal in memory. */
export async function openScreen(
  { client, roster, folder }: { client: Client; roster: Roster; folder: string },
  { columns = 120, rows = 40 } = {},
): Promise<{ app: App; terminal: MemoryTerminal }> {
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS))
  const terminal = new MemoryTerminal(columns, rows)
  const app = new App(terminal, {
    folder,
    config: {},
    color: true,
    alternate_screen: true,
    leave_transcript: false,
  })
  app.start()
  const nothing = async () => undefined
  await app.ready({
    host: {
      client,
      roster,
      notices: [],
      files: async () => [],
      shell: async () => ({ output: '', code: 0 }),
      history: async () => [],
      theme: { read: async () => undefined, keep: () => undefined },
      remember: () => undefined,
      branch: nothing,
      commands: async () => new Map(),
      undo: async () => '',
      transcript: async () => '',
    } as unknown as Host,
  })
  return { app, terminal }
}

/** Settings with which these agents work as a team that answers and votes once. */
export function teamSettings(ids: readonly string[], team_mode: 'single' | 'multi'): RunMessageSettings {
  return {
    team_mode,
    refinement: false,
    agents: ids.map((id) => ({ id, speaks: 'tools' })),
    coordination: coordinationFor(
      { plan: false, team: team_mode, refinement: false, write_paths: false },
      coordination,
    ),
    turn: { permission: 'auto', max_iterations: 15, reflect: 'never' },
    context_paths: [],
    evidence: [],
    override: 'continue',
    budget: {},
    timeouts: { run_ms: 600_000, first_round_ms: null, later_round_ms: null, grace_ms: 5_000 },
  }
}

const coordination: CoordinationConfig = {
  max_new_answers_per_agent: 1,
  max_new_answers_global: null,
  fairness_lead: null,
  answer_novelty_requirement: 'lenient',
  voting_sensitivity: 'lenient',
  skip_voting: false,
  disable_injection: false,
  defer_voting_until_all_answered: true,
  max_reminders: 3,
}
