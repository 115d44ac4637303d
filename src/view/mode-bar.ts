import type { Command } from '../schema/command.ts'
import type { TeamMode } from '../schema/coordination.ts'
import type { ChatId, RunId } from '../schema/ids.ts'
import type { ChatView } from './chat-view.ts'

/** The modes of a chat, in one place. A projection: nothing is kept here. */
export interface ModeState {
  /** `executing`: an approved plan is being carried out. */
  plan_mode: 'normal' | 'plan' | 'executing'
  agent_mode: TeamMode
  refinement: boolean
  /** `available`: the vote is over and the person may choose another presenter. */
  override: 'none' | 'available' | 'overridden'
  /** The agent that answers in single mode. */
  active_agent: string | null
  interactive_mode: boolean
  /** The chat whose entry-point agent the person talks to. */
  interactive_session: ChatId | null
  current_run_id: RunId | null
  pending_run_approval: boolean
  /** Agents work: modes stay as they are. */
  locked: boolean
}

/** What a face knows of the config. */
export interface ModeContext {
  /** Ids, in the order of the config. */
  agents: readonly string[]
  interactive: boolean
}

export const initialModeState: ModeState = {
  plan_mode: 'normal',
  agent_mode: 'multi',
  refinement: true,
  override: 'none',
  active_agent: null,
  interactive_mode: false,
  interactive_session: null,
  current_run_id: null,
  pending_run_approval: false,
  locked: false,
}

/** What a chat does not say follows from the config: a team where there is one, and it refines. */
export function modeState(view: ChatView, { agents, interactive }: ModeContext): ModeState {
  const { config, under_way, pendings, run } = view
  const exists = view.session.chat_id !== 'chat_'
  const agent_mode = config.team_mode ?? (agents.length > 1 ? 'multi' : 'single')
  const running = run?.status === 'working' ? run.run_id : null
  return {
    plan_mode:
      under_way?.kind === 'turn' && under_way.plan
        ? 'executing'
        : config.agent_mode === 'Plan'
          ? 'plan'
          : 'normal',
    agent_mode,
    refinement: config.refinement ?? agent_mode === 'multi',
    override: pendings.some(({ pending }) => pending.kind === 'override')
      ? 'available'
      : running && run?.overridden
        ? 'overridden'
        : 'none',
    active_agent: config.active_agent ?? agents[0] ?? null,
    interactive_mode: interactive,
    interactive_session: interactive && exists ? view.chat_id : null,
    current_run_id: under_way?.kind === 'run' ? under_way.run_id : running,
    pending_run_approval: pendings.some(({ pending }) => pending.kind === 'run_approval'),
    locked: under_way !== null,
  }
}

export interface ModeToggle {
  id: 'plan' | 'team' | 'refinement' | 'interactive'
  label: string
  /** What it means, for hovering and for screen readers. */
  description: string
  on: boolean
  enabled: boolean
  /** Why it cannot be switched now. */
  reason: string | null
  /** What to send when it is switched; null for what only shows a state. */
  command: Command | null
  /** Switching is possible after all, once the person has confirmed what it stops. */
  confirm: { question: string; command: Command } | null
}

const LOCKED = 'locked while agents work'

export function modeToggles(state: ModeState, chat_id: ChatId, agents: readonly string[]): ModeToggle[] {
  const { locked, agent_mode, refinement, interactive_mode } = state
  const team = agents.length > 1
  return [
    planToggle(state, chat_id),
    {
      id: 'team',
      label: agent_mode === 'multi' ? 'Multi' : 'Single',
      description:
        agent_mode === 'multi'
          ? 'All agents work on it and vote for the best answer.'
          : `One agent answers: ${state.active_agent ?? 'the first'}.`,
      on: agent_mode === 'multi',
      ...availability(locked ? LOCKED : team ? null : 'the config has one agent'),
      command: { type: 'set_team', chat_id, team_mode: agent_mode === 'multi' ? 'single' : 'multi' },
      confirm: null,
    },
    {
      id: 'refinement',
      label: `Refine ${refinement ? 'on' : 'off'}`,
      description: refinement ? 'Agents see answers, improve on them and vote.' : 'Every agent answers once.',
      on: refinement,
      ...availability(locked ? LOCKED : null),
      command: { type: 'set_team', chat_id, refinement: !refinement },
      confirm: null,
    },
    ...(interactive_mode ? [interactiveMark(state)] : []),
  ]
}

/** In single mode a tab chooses the agent; the others are grey. */
export function tabCommand(state: ModeState, chat_id: ChatId, agent: string): Command | null {
  if (state.agent_mode !== 'single' || state.locked || agent === state.active_agent) return null
  return { type: 'set_team', chat_id, active_agent: agent }
}

function planToggle({ plan_mode, locked }: ModeState, chat_id: ChatId): ModeToggle {
  const plans = plan_mode === 'plan'
  const command = { type: 'set_agent_mode', chat_id, agent_mode: plans ? 'Act' : 'Plan' } as const
  return {
    id: 'plan',
    label: plan_mode === 'executing' ? 'Executing Plan' : plans ? 'Plan' : 'Act',
    description: plans
      ? 'Plan mode: agents look and propose; nothing is changed.'
      : 'Act mode: agents carry out what you ask.',
    on: plans,
    ...availability(locked ? LOCKED : null),
    command,
    confirm:
      locked && !plans
        ? { question: 'Stop the work and switch to Plan mode?', command: { ...command, confirm: true } }
        : null,
  }
}

const interactiveMark = ({ pending_run_approval, current_run_id }: ModeState): ModeToggle => ({
  id: 'interactive',
  label: pending_run_approval
    ? '⌂ interactive · asks to launch a run'
    : current_run_id
      ? '⌂ interactive · run'
      : '⌂ interactive',
  description: 'You talk to the orchestrator agent, which launches runs.',
  on: true,
  ...availability('set by the config'),
  command: null,
  confirm: null,
})

const availability = (reason: string | null): Pick<ModeToggle, 'enabled' | 'reason'> => ({
  enabled: reason === null,
  reason,
})
