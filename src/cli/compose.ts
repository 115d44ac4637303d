import { openFiles } from '../adapters/files/gateway.ts'
import { localShell } from '../adapters/shell/local-shell.ts'
import { openSqliteJournal } from '../adapters/journal/sqlite-journal.ts'
import { Engine } from '../engine/engine.ts'
import type { Agent } from '../engine/parts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Journal } from '../ports/journal.ts'
import { builtinTools } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import { neutralize } from '../view/neutralize.ts'
import { type Roster, agentLoader } from './agents.ts'
import type { Args } from './args.ts'
import { connectMcp, describeChanged } from './connect-mcp.ts'
import { findFolder, findJournal } from './places.ts'

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

export interface Composed {
  engine: Engine
  journal: Journal
  /** Loads an agent ahead of its first use, so that a wrong backend is reported before anything is stored. */
  agent: (id: string) => Promise<Agent>
}

/** Puts the engine together from the adapters of this machine. */
export async function composeEngine(args: Args, roster: Roster): Promise<Composed> {
  const folder = findFolder(args)
  const path = findJournal(args)
  const [journal, mcp, web] = await Promise.all([
    openSqliteJournal({ path }),
    connectMcp(roster, { folder, trusted: roster.trusted === true, journal: path, version: args.version }),
    webTools(roster, args.version),
  ])
  for (const problem of [...(mcp?.problems ?? []), ...(mcp?.changed.map(describeChanged) ?? [])]) {
    process.stderr.write(`conclave: ${neutralize(problem)}\n`)
  }
  const agent = agentLoader(roster)
  const engine = new Engine({
    journal,
    clock: systemClock,
    tools: [...builtinTools(), ...web, ...(mcp?.tools ?? [])],
    agent,
    files: openFiles,
    shell: localShell(),
    platform: process.platform,
    ...(mcp && { close: mcp.close }),
  })
  return { engine, journal, agent }
}

async function webTools({ web_fetch, from_project, trusted }: Roster, version: string): Promise<Tool[]> {
  if (!web_fetch?.enabled || (from_project && !trusted)) return []
  const [{ httpWeb }, { webFetch }] = await Promise.all([
    import('../adapters/web/http-web.ts'),
    import('../tools/web-fetch.ts'),
  ])
  return [webFetch(httpWeb({ ...web_fetch, version }))]
}
