import { openFiles } from '../adapters/files/gateway.ts'
import { localShell } from '../adapters/shell/local-shell.ts'
import { openSqliteJournal } from '../adapters/journal/sqlite-journal.ts'
import { Engine } from '../engine/engine.ts'
import type { Agent } from '../engine/parts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Journal } from '../ports/journal.ts'
import { builtinTools } from '../tools/registry.ts'
import { type Roster, agentLoader } from './agents.ts'
import type { Args } from './args.ts'
import { findJournal } from './places.ts'

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

export interface Composed {
  engine: Engine
  journal: Journal
  /** Loads an agent ahead of its first use, so that a wrong backend is reported before anything is stored. */
  agent: (id: string) => Promise<Agent>
}

/** Puts the engine together from the adapters of this machine. */
export async function composeEngine(args: Args, roster: Roster): Promise<Composed> {
  const journal = await openSqliteJournal({ path: findJournal(args) })
  const agent = agentLoader(roster)
  const engine = new Engine({
    journal,
    clock: systemClock,
    tools: builtinTools(),
    agent,
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
  })
  return { engine, journal, agent }
}
