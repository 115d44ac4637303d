import { coordinationFor } from '../core/modes/overrides.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { MessageSettings, RunMessageSettings } from '../schema/command.ts'
import type { AgentConfig } from '../schema/config.ts'
import type { FinalAnswerStrategy, TeamMode } from '../schema/coordination.ts'
import type { ContextPath } from '../schema/reach.ts'
import type { Roster } from './agents.ts'
import { type Args, usage } from './args.ts'

/** Who answers, and how they work together. */
export interface Team {
  agents: AgentConfig[]
  team_mode: TeamMode
  refinement: boolean
  strategy?: FinalAnswerStrategy
}

/** From the command line, then from the chat, then from how many agents there are. */
export function chooseTeam(args: Args, roster: Roster, chat?: ChatConfig): Team {
  if (args.has('single') && args.has('multi')) throw usage('--single and --multi exclude each other')
  if (args.has('refine') && args.has('no-refine')) throw usage('--refine and --no-refine exclude each other')
  const chosen = chosenAgents(args, roster)
  const usual = chat?.team_mode ?? (chosen.length > 1 ? 'multi' : 'single')
  const team_mode = args.has('single') ? 'single' : args.has('multi') ? 'multi' : usual
  const named = args.value('single') ?? chat?.active_agent
  const one = named === undefined ? chosen[0] : findAgent(roster, named)
  const agents = team_mode === 'single' && one ? [one] : chosen
  const refined = args.has('refine') ? true : args.has('no-refine') ? false : chat?.refinement
  const strategy = args.value('strategy') as FinalAnswerStrategy | undefined
  const override = args.value('override')
  if (override !== undefined && !agents.some(({ id }) => id === override))
    throw usage(`--override: ${override} is not in the team; it has ${agents.map(({ id }) => id).join(', ')}`)
  return { agents, team_mode, refinement: refined ?? team_mode === 'multi', ...(strategy && { strategy }) }
}

/** Those that `--agents` names, or all. */
export function chosenAgents(args: Args, roster: Roster): AgentConfig[] {
  const listed = args.value('agents')?.split(',')
  return listed ? [...new Set(listed.map((id) => findAgent(roster, id.trim())))] : roster.agents
}

/** One agent that nobody votes on is an ordinary turn. */
export const isTurn = ({ team_mode, refinement }: Team): boolean => team_mode === 'single' && !refinement

function findAgent({ agents, source }: Roster, id: string): AgentConfig {
  const found = agents.find((agent) => agent.id === id)
  if (found) return found
  throw usage(`there is no agent "${id}" (${source}); known: ${agents.map((agent) => agent.id).join(', ')}`)
}

/** What a run of this team is started with. */
export function runSettings(
  roster: Roster,
  { agents, team_mode, refinement, strategy }: Team,
  { turn, context_paths, plan }: { turn: MessageSettings; context_paths: ContextPath[]; plan: boolean },
): RunMessageSettings {
  const { orchestrator, timeouts, budget = {} } = roster
  const write_paths = context_paths.some(({ permission }) => permission === 'write')
  const modes = { plan, team: team_mode, refinement, write_paths, ...(strategy && { strategy }) }
  return {
    team_mode,
    refinement,
    agents: agents.map(({ id, backend, budget: own }) => ({
      id,
      speaks: backend.type === 'acp' ? 'text' : 'tools',
      ...own,
    })),
    coordination: coordinationFor(modes, {
      max_new_answers_per_agent: orchestrator ? orchestrator.max_new_answers_per_agent : 3,
      max_new_answers_global: orchestrator?.max_new_answers_global ?? null,
      fairness_lead: orchestrator?.fairness_enabled === false ? null : (orchestrator?.fairness_lead ?? null),
      answer_novelty_requirement: orchestrator?.answer_novelty_requirement ?? 'lenient',
      voting_sensitivity: orchestrator?.voting_sensitivity ?? 'lenient',
      skip_voting: orchestrator?.skip_voting ?? false,
      disable_injection: orchestrator?.disable_injection ?? false,
      defer_voting_until_all_answered: orchestrator?.defer_voting_until_all_answered ?? false,
      max_reminders: orchestrator?.max_reminders ?? 3,
      ...(orchestrator?.broadcast && { broadcast: orchestrator.broadcast }),
      ...(orchestrator?.final_answer_strategy && {
        final_answer_strategy: orchestrator.final_answer_strategy,
      }),
    }),
    turn,
    context_paths,
    evidence: orchestrator?.evidence ?? [],
    override: orchestrator?.override ?? 'ask',
    budget: {
      ...budget,
      ...(turn.max_tokens !== undefined && { max_tokens: turn.max_tokens }),
      ...(turn.max_usd !== undefined && { max_usd: turn.max_usd }),
    },
    timeouts: {
      run_ms: (timeouts?.orchestrator_timeout_seconds ?? 1800) * 1000,
      first_round_ms: milliseconds(timeouts?.initial_round_timeout_seconds),
      later_round_ms: milliseconds(timeouts?.subsequent_round_timeout_seconds),
      grace_ms: (timeouts?.round_timeout_grace_seconds ?? 120) * 1000,
    },
    ...(orchestrator?.seed !== undefined && { seed: orchestrator.seed }),
  }
}

const milliseconds = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : seconds * 1000
