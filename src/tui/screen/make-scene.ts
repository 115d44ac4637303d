import type { ApprovedPlan } from '../../schema/plan.ts'
import type { StepProgress } from '../../schema/turn-event.ts'
import type { RunId } from '../../schema/ids.ts'
import type { AgentView, ChatView } from '../../view/chat-view.ts'
import { getKey } from '../../view/keyed.ts'
import { liveItems } from '../../view/live.ts'
import { modeState, modeToggles } from '../../view/mode-bar.ts'
import { itemAt, itemCount } from '../../view/transcript.ts'
import type { SubAgent } from '../state/ui-state.ts'
import type { Scene, SceneAgent } from './scene.ts'

export interface SceneParts {
  view: ChatView
  folder: string
  branch?: string
  /** From the config, in its order; empty until it is read. */
  agents: readonly { id: string; model: string; context_window?: number }[]
  interactive: boolean
  starting: boolean
  now: number
  /** The tab that is chosen while a team works: whose transcript is shown. */
  watching?: string
  /** What the Team tab shows, when it is not the newest run. */
  team_run?: RunId
  /** The sub-agents on the way to the one whose transcript is shown. */
  inside?: readonly SubAgent[]
}

/** What is drawn, from what is known. Pure. */
export function makeScene(parts: SceneParts): Scene {
  const { view, agents, interactive, now } = parts
  const ids = agents.map(({ id }) => id)
  const mode = modeState(view, { agents: ids, interactive })
  const { under_way, run } = view
  const watched =
    parts.watching === undefined ? undefined : view.agents.find((agent) => agent.agent_id === parts.watching)
  const plan = under_way?.kind === 'turn' ? under_way.plan : null
  const inner = parts.inside?.at(-1)
  const child = inner && getKey(view.inner.children, inner.turn_id)
  const team_run = parts.team_run && getKey(view.inner.runs, parts.team_run)
  return {
    starting: parts.starting,
    title: view.title,
    folder: parts.folder,
    ...(parts.branch && { branch: parts.branch }),
    transcript: child ?? (watched ?? view).transcript,
    live: child && inner ? liveItems(view.live, inner.turn_id) : liveOf(view, watched),
    ...(child && { inside: parts.inside?.map(({ name }) => name) ?? [] }),
    outputOf: ({ stream, call }) => view.live.get(stream)?.output.get(call.id) ?? '',
    runOf: ({ child: id }) => (id?.startsWith('run_') ? getKey(view.inner.runs, id) : undefined),
    ...(team_run && { team_run }),
    agents: agents.map((agent): SceneAgent => ({
      ...agent,
      state: stateOf(view, agent.id),
      ...doing(view, agent.id),
    })),
    mode,
    ...(watched && { watching: watched.agent_id }),
    // Whether there is a team is not known before the config is read.
    toggles: modeToggles(mode, view.chat_id, ids).filter(({ id }) => id === 'plan' || !parts.starting),
    ...(under_way?.kind === 'turn' && {
      busy: { id: under_way.agent_id, state: under_way.phase.toLowerCase() },
    }),
    working: under_way !== null,
    ...(under_way && { since: Date.parse(under_way.since) }),
    now,
    pendings: view.pendings.map(({ stream, agent_id, pending }) => ({
      stream,
      agent_id: agent_id ?? 'agent',
      pending,
    })),
    ...(view.plan && { plan: view.plan }),
    ...(plan && { executing: progressOf(plan) }),
    ...(run && { run }),
    usage: view.usage,
    ...(view.context_tokens !== null && { context_tokens: view.context_tokens }),
  }
}

function liveOf(view: ChatView, watched: AgentView | undefined): Scene['live'] {
  const stream = watched ? watched.turn_id : view.under_way?.kind === 'turn' ? view.under_way.turn_id : null
  return stream ? liveItems(view.live, stream) : []
}

function stateOf({ under_way, run, pendings }: ChatView, agent: string): string {
  if (run?.status === 'working') {
    return run.agents.find(({ agent_id }) => agent_id === agent)?.state ?? 'idle'
  }
  if (under_way?.kind !== 'turn' || under_way.agent_id !== agent) return 'idle'
  return pendings.length > 0 ? 'waiting' : under_way.phase.toLowerCase()
}

function doing({ under_way, agents }: ChatView, id: string): { doing?: string } {
  const transcript = under_way?.kind === 'run' && agents.find(({ agent_id }) => agent_id === id)?.transcript
  if (!transcript) return {}
  const count = itemCount(transcript)
  for (let place = count - 1; place >= Math.max(0, count - 4); place--) {
    const item = itemAt(transcript, place)
    if (item?.kind === 'tool_call') return { doing: `${item.name} ${item.summary}` }
  }
  return {}
}

function progressOf({
  plan,
  steps,
}: {
  plan: ApprovedPlan
  steps: readonly StepProgress[]
}): Scene['executing'] {
  const over = steps.filter(
    ({ status }) => status === 'done' || status === 'skipped' || status === 'failed',
  ).length
  const count = plan.plan.steps.length
  return { directory: plan.directory, step: Math.min(count, over + 1), steps: count }
}
