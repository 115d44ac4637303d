import type { RunEffect } from '../../core/run/effects.ts'
import type { RunInput } from '../../core/run/input.ts'
import type { EvidenceCommand, EvidenceResult } from '../../schema/coordination.ts'
import type { Reach } from '../../schema/reach.ts'
import type { RunDesk } from './desk.ts'
import { openWorkspace, reachInCopy } from './reach-for.ts'

type Gather = Extract<RunEffect, { type: 'gather_evidence' }>

const LONGEST_OUTPUT = 4_000

/** Runs the configured commands on what the agent left, behind the sandbox, and puts the workspace back as it was. */
export async function gatherEvidence(
  desk: RunDesk,
  { agent_id, answer }: Gather,
  signal: AbortSignal,
): Promise<RunInput> {
  const { order, team, turns } = desk
  const { evidence } = order.settings
  const now = () => turns.parts.clock.now()
  const workspace = await openWorkspace(desk, agent_id)
  const refused = 'refused' in workspace ? workspace.refused : whyNot(desk)
  if ('refused' in workspace || refused) {
    const results = evidence.map(({ name }) => unavailable(name, refused ?? ''))
    return { type: 'evidence', label: answer.label, results, now: now() }
  }
  const reach = reachInCopy(desk.actor.state, workspace)
  const snapshot = await team.workspaces.find(order.run_id, answer.snapshot.id)
  const putBack = async () => snapshot && (await team.workspaces.reset(workspace, snapshot))
  if (desk.unchecked.has(answer.label)) await putBack()
  const results: EvidenceResult[] = []
  for (const command of evidence) results.push(await runCommand(desk, command, reach, signal))
  await putBack()
  return { type: 'evidence', label: answer.label, results, now: now() }
}

/** The code to be checked was written by a model: without a sandbox it runs only where everything may. */
function whyNot({ turns, order }: RunDesk): string | undefined {
  if (turns.parts.shell.confines || order.settings.turn.permission === 'auto') return undefined
  return 'there is no sandbox to run it in (conclave doctor)'
}

async function runCommand(
  { turns }: RunDesk,
  { name, command, timeout_seconds }: EvidenceCommand,
  reach: Reach,
  signal: AbortSignal,
): Promise<EvidenceResult> {
  const { shell, clock } = turns.parts
  const began = clock.elapsed()
  const timeout_ms = timeout_seconds * 1000
  const { exit_code, output, ended_by } = await shell.run({
    ...{ command, cwd: reach.root, timeout_ms, access: 'write', signal, reach },
  })
  const status =
    ended_by === 'timeout' ? 'timeout' : ended_by ? 'unavailable' : exit_code === 0 ? 'passed' : 'failed'
  return {
    name,
    status,
    duration_ms: Math.round(clock.elapsed() - began),
    output: output.slice(-LONGEST_OUTPUT),
  }
}

const unavailable = (name: string, output: string): EvidenceResult => ({
  name,
  status: 'unavailable',
  duration_ms: 0,
  output,
})
