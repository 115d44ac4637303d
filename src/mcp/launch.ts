import { launchCard } from '../core/launch/launch-card.ts'
import { executionPrompt, launchPrompt } from '../core/launch/launch-prompts.ts'
import { type LaunchResult, launchResult } from '../core/launch/launch-result.ts'
import { budgetLeft } from '../core/launch/budget-left.ts'
import { narrow } from '../core/launch/narrow.ts'
import { readLaunch } from '../core/launch/read-launch.ts'
import type { RunState } from '../core/run/state.ts'
import type { RunMessageSettings } from '../schema/command.ts'
import type { LaunchRequest } from '../schema/launch.ts'
import type { Pending } from '../schema/pending.ts'
import { cardText, pendingCard } from '../view/pending-card.ts'
import { type Followed, followRun } from './follow-run.ts'
import type { Caller, McpHost } from './mcp-host.ts'

export type Launched = { result: LaunchResult; plan?: LaunchResult } | { refused: string }

/** Carries out what a client asks for, by the same rules as for the interactive agent. */
export async function launch(
  host: McpHost,
  input: Record<string, unknown>,
  caller: Caller,
): Promise<Launched> {
  const request = readLaunch(input, host.team)
  if ('refused' in request) return { refused: `The run was not launched: ${request.refused}.` }
  const problems = host.check(input)
  if (problems.length > 0) return { refused: `The run was not launched: ${problems.join('; ')}.` }
  const refused = await approve(host, request, caller)
  if (refused) return { refused }
  const { planning_mode: planning, execute_after_planning } = request
  const settings = settingsOf(host, request, { planning, caller })
  const first = await followRun(host, { prompt: launchPrompt(request), settings, planning }, caller)
  if ('refused' in first) return first
  const { finished } = first.run
  if (!execute_after_planning || finished?.status !== 'complete' || caller.signal.aborted)
    return { result: resultOf(first) }
  return carryOut(host, { request, planned: first.run, plan: finished.final_answer }, caller)
}

/** The second run has what is left of the budget of the first. */
async function carryOut(
  host: McpHost,
  { request, planned, plan }: { request: LaunchRequest; planned: RunState; plan: string },
  caller: Caller,
): Promise<Launched> {
  const settings = settingsOf(host, request, { planning: false, caller })
  const budget = budgetLeft(settings.budget, planned.usage)
  if (!budget)
    return {
      result: { ...launchResult(planned), error: 'The plan was not carried out: the budget is spent.' },
    }
  const prompt = executionPrompt(launchPrompt(request), plan)
  const second = await followRun(host, { prompt, settings: { ...settings, budget }, planning: false }, caller)
  if ('refused' in second) return second
  return { result: resultOf(second), plan: launchResult(planned) }
}

const resultOf = ({ run, unanswered }: Followed): LaunchResult => ({
  ...launchResult(run),
  ...(unanswered && { error: `Stopped: nobody could be asked. ${unanswered}` }),
})

function settingsOf(
  host: McpHost,
  request: LaunchRequest,
  { planning, caller }: { planning: boolean; caller: Caller },
): RunMessageSettings {
  const asks = caller.choose !== undefined
  return narrow(host.settings(request, { planning, asks }), request.coordination_overrides)
}

/** A model's wish starts nothing: a person approves this run, or has said that none needs approval. */
async function approve(
  { team, approved }: McpHost,
  request: LaunchRequest,
  { choose }: Caller,
): Promise<string | undefined> {
  if (!team.require_approval || approved) return undefined
  if (!choose)
    return 'The run was not launched: it needs approval, and this client cannot ask a person (MCP elicitation). Set require_approval: false in the config, or start the server with --on-pending approve.'
  const call = { id: 'mcp', name: 'launch_run', input: {} }
  const card: Pending = {
    ...{ id: 'mcp', kind: 'run_approval', call, hash: '' },
    launch: launchCard(request, team),
  }
  const choices = [
    { value: 'approve', label: 'Approve' },
    { value: 'cancel', label: 'Cancel' },
  ]
  const chosen = await choose(cardText({ ...pendingCard(card), choices: [] }), choices)
  return chosen === 'approve'
    ? undefined
    : 'Cancelled: the person did not want this run. Nothing was started.'
}
