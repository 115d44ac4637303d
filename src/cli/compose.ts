import { dirname } from 'node:path'
import { openFiles } from '../adapters/files/gateway.ts'
import { noSandbox, openShell } from '../adapters/shell/open-shell.ts'
import { openSqliteJournal } from '../adapters/journal/sqlite-journal.ts'
import { Engine } from '../engine/engine.ts'
import type { Agent } from '../engine/parts.ts'
import type { Clock } from '../ports/clock.ts'
import type { Journal } from '../ports/journal.ts'
import type { ProjectContext } from '../ports/project.ts'
import type { Shell } from '../ports/shell.ts'
import { builtinTools } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import { neutralize } from '../view/neutralize.ts'
import { type Roster, agentLoader } from './agents.ts'
import type { Args } from './args.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { connectMcp, describeChanged } from './connect-mcp.ts'
import { findFolder, findJournal } from './places.ts'
import { projectLoader } from './project.ts'
import { recordAgents, recordingsFolder } from './record.ts'
import { openUndo } from './undo.ts'

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
  if (roster.notice && !args.has('quiet')) process.stderr.write(`conclave: ${roster.notice}\n`)
  const [journal, mcp, web] = await Promise.all([
    openSqliteJournal({ path }),
    connectMcp(roster, { folder, trusted: roster.trusted === true, journal: path, version: args.version }),
    webTools(roster, args.version),
  ])
  for (const problem of [...(mcp?.problems ?? []), ...(mcp?.changed.map(describeChanged) ?? [])]) {
    process.stderr.write(`conclave: ${neutralize(problem)}\n`)
  }
  const agent = agentLoader(roster)
  const record = args.has('record') || roster.record === true
  const project = projectLoader(args)
  const undo = openUndo(dirname(path))
  const shell = chooseShell(roster, dirname(path))
  const engine = new Engine({
    journal,
    clock: systemClock,
    tools: [...builtinTools(), ...(await skillTools(project, folder)), ...web, ...(mcp?.tools ?? [])],
    agent: record ? await recordAgents(recordingsFolder(args), agent) : agent,
    files: (granted) => openFiles(granted, { blobs: undo.blobs }),
    shell,
    platform: process.platform,
    watch: undo.watch,
    project,
    ...(mcp && { close: mcp.close }),
  })
  return { engine, journal, agent }
}

/** A config that requires a sandbox is not carried out without one. */
function chooseShell({ execution }: Roster, data: string): Shell {
  if (execution?.mode === 'docker')
    throw new Exit(exitCodes.sandbox, 'execution.mode docker is not in this version yet')
  const { sandbox = 'auto', network = false } = execution ?? {}
  const shell = openShell({ sandbox, network, ours: [data] })
  if (sandbox === 'required' && !shell.confines) throw new Exit(exitCodes.sandbox, noSandbox())
  return shell
}

async function skillTools(
  project: (folder: string) => Promise<ProjectContext | undefined>,
  folder: string,
): Promise<Tool[]> {
  if (!(await project(folder))?.skills.length) return []
  const { skillTool } = await import('../tools/skill.ts')
  return [skillTool(async (at) => (await project(at))?.skills ?? [])]
}

async function webTools({ web_fetch, from_project, trusted }: Roster, version: string): Promise<Tool[]> {
  if (!web_fetch?.enabled || (from_project && !trusted)) return []
  const [{ httpWeb }, { webFetch }] = await Promise.all([
    import('../adapters/web/http-web.ts'),
    import('../tools/web-fetch.ts'),
  ])
  return [webFetch(httpWeb({ ...web_fetch, version }))]
}
