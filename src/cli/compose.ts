import { dirname } from 'node:path'
import { openFiles } from '../adapters/files/gateway.ts'
import { noSandbox, openShell } from '../adapters/shell/open-shell.ts'
import { openSqliteJournal } from '../adapters/journal/sqlite-journal.ts'
import { systemClock } from '../adapters/system-clock.ts'
import { Engine } from '../engine/engine.ts'
import type { Agent } from '../engine/parts.ts'
import type { Journal } from '../ports/journal.ts'
import type { ProjectContext } from '../ports/project.ts'
import type { Shell } from '../ports/shell.ts'
import type { TeamParts } from '../ports/team.ts'
import { builtinTools } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import { neutralize } from '../view/neutralize.ts'
import { type Roster, agentLoader } from './agents.ts'
import type { Args } from './args.ts'
import { cacheFolder } from './cache-folder.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { type Mcp, connectMcp, describeChanged } from './connect-mcp.ts'
import { openDocker } from './open-docker.ts'
import { interactiveParts } from './interactive.ts'
import { findFolder, findJournal } from './places.ts'
import { projectLoader } from './project.ts'
import { projectParts } from './project-workspace.ts'
import { recordAgents, recordingsFolder } from './record.ts'
import { openPictures } from './pictures.ts'
import { openUndo } from './undo.ts'

export interface Composed {
  engine: Engine
  journal: Journal
  /** Loads an agent ahead of its first use, so that a wrong backend is reported before anything is stored. */
  agent: (id: string) => Promise<Agent>
  /** What MCP servers offer; absent when there are none. */
  mcp?: Mcp
}

/** Puts the engine together from the adapters of this machine. */
export async function composeEngine(args: Args, roster: Roster): Promise<Composed> {
  const folder = findFolder(args)
  const path = findJournal(args)
  if (roster.notice && !args.has('quiet')) process.stderr.write(`conclave: ${roster.notice}\n`)
  const containers = await openDocker(args, roster, dirname(path))
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
  const shell = containers?.shared() ?? chooseShell(roster, dirname(path))
  let team: Promise<TeamParts> | undefined
  const engine = new Engine({
    journal,
    clock: systemClock,
    tools: [
      ...builtinTools(),
      ...(await launchTools(roster)),
      ...(await skillTools(project, folder)),
      ...web,
      ...(mcp?.tools ?? []),
    ],
    agent: record ? await recordAgents(recordingsFolder(args), agent) : agent,
    files: (granted) => openFiles(granted, { blobs: undo.blobs }),
    shell,
    pictures: openPictures(dirname(path)),
    platform: process.platform,
    watch: undo.watch,
    project,
    ...interactiveParts(args, roster),
    ...(roster.workspace !== false && projectParts(args)),
    team: () => {
      team ??= import('../adapters/team/open-team.ts').then(({ openTeam }) =>
        openTeam({ data: dirname(path), blobs: undo.blobs, journal, containers }),
      )
      return team
    },
    close: async () => void (await Promise.all([mcp?.close(), containers?.close()])),
  })
  return { engine, journal, agent, ...(mcp && { mcp }) }
}

/** A config that requires a sandbox is not carried out without one. */
function chooseShell({ execution }: Roster, data: string): Shell {
  const { sandbox = 'auto', network = false } = execution ?? {}
  const cache = cacheFolder()
  const shell = openShell({ sandbox, network, ours: [data], ...(cache && { probe: `${cache}/sandbox` }) })
  if (sandbox === 'required' && !shell.confines) throw new Exit(exitCodes.sandbox, noSandbox())
  return shell
}

async function launchTools({ interactive }: Roster): Promise<Tool[]> {
  return interactive?.enabled ? [(await import('../tools/launch-run.ts')).launchRun] : []
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
