import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type OnPending, answerByPolicy } from '../../headless/answer-policy.ts'
import { readAnswer } from '../../headless/read-answer.ts'
import { serveMcp } from '../../mcp/serve-mcp.ts'
import { checkInput } from '../../tools/input-schema.ts'
import { launchRun } from '../../tools/launch-run.ts'
import { toModelTool } from '../../tools/registry.ts'
import { findAgents } from '../agents.ts'
import { type Args, usage } from '../args.ts'
import { composeEngine } from '../compose.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { launchSettings, launcher } from '../interactive.ts'
import { findFolder } from '../places.ts'
import { readReach, readSettings } from '../run-chat.ts'
import { chosenAgents } from '../team.ts'

/** `conclave mcp`: launch_run for other agents, over stdin and stdout, which carry nothing but the protocol. */
export async function mcp(args: Args): Promise<ExitCode> {
  if (args.words.length > 0) throw usage('conclave mcp takes no words; the client says what is to be done')
  const folder = findFolder(args)
  const roster = await findAgents(args, folder)
  const agents = chosenAgents(args, roster)
  const reach = await readReach(args, roster, folder)
  // Whoever calls is the one that launches: the runs themselves have no such tool.
  const { engine, agent } = await composeEngine(args, { ...roster, interactive: undefined })
  const transport = new StdioServerTransport()
  const close = () => void transport.close()
  process.stdin.once('end', close).once('close', close)
  process.once('SIGINT', close).once('SIGTERM', close).once('SIGHUP', close)
  try {
    await Promise.all(agents.map(({ id }) => agent(id)))
    const on_pending = (args.value('on-pending') ?? 'default') as OnPending
    const launch = launcher(roster, agents)
    await serveMcp(
      {
        version: args.version,
        folder,
        engine,
        tool: toModelTool(launchRun),
        check: (input) => checkInput(launchRun.input, input),
        team: launchSettings(roster, agents, roster.interactive?.require_approval ?? true),
        instructions: `launch_run has a team of agents carry out a task in ${folder}. Agents: ${agents
          .map(({ id, description }) => (description ? `${id} (${description})` : id))
          .join(', ')}. A run takes minutes and costs money; a person may have to approve it.`,
        approved: on_pending === 'approve',
        settings: (request, { planning, asks }) => {
          const settings = readSettings(args, roster)
          const usual = asks ? 'ask' : 'deny'
          const permission = args.has('permission-mode') ? settings.permission : usual
          const turn = { ...settings, permission } as const
          return launch(request, { turn, planning, context_paths: reach?.context ?? [] })
        },
        policy: (pending) =>
          answerByPolicy(pending, on_pending === 'fail' ? 'default' : on_pending, args.value('override')),
        readAnswer,
      },
      transport,
    )
  } finally {
    await engine.close()
  }
  return exitCodes.done
}
