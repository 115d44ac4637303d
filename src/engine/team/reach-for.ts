import type { RunEffect } from '../../core/run/effects.ts'
import { type RunState, candidates, findAnswer } from '../../core/run/state.ts'
import type { Refused } from '../../ports/files.ts'
import type { Workspace } from '../../ports/workspace.ts'
import type { ContextPath, Reach } from '../../schema/reach.ts'
import type { RunDesk } from './desk.ts'

/** Each is a mount of its own. */
const MOST_HELD = 200

type RunTurn = Extract<RunEffect, { type: 'run_turn' }>

/** Agents of a team each have a copy, except where nothing is written or only one may write. */
export const worksInCopy = ({ settings }: RunState): boolean =>
  settings.turn.mode === 'Act' && !settings.coordination.write_during_coordination

export function openWorkspace(
  { order, team, actor }: RunDesk,
  agent_id: string,
): Promise<Workspace | Refused> {
  const { run_id, chat } = order
  return team.workspaces.open({ run_id, agent_id, folder: chat.folder, agents: actor.state.agents.length })
}

/**
 * What an agent may reach in this turn: in its copy everything, elsewhere only what may be read. The person's folder and
 * the writable context paths are written only in the presentation, or by an agent that works alone without a vote.
 */
export async function reachFor(desk: RunDesk, { agent, turn }: RunTurn): Promise<{ reach: Reach } | Refused> {
  const { state } = desk.actor
  const { folder, settings } = state
  const shown = shownAnswers(
    state,
    turn.ballot.map(({ label }) => label),
    turn.purpose === 'present',
  )
  const plans = settings.turn.mode === 'Plan'
  if (plans || settings.coordination.write_during_coordination || turn.purpose === 'present') {
    const given = plans ? settings.context_paths.map(readOnly) : settings.context_paths
    const context = [...given, ...shown, ...(await leftAlone(desk))]
    // A presenter that could write after all would make nothing of the person's refusal.
    const looks = plans || state.applied?.refused === true
    return { reach: { root: folder, root_access: looks ? 'read' : 'write', context } }
  }
  const workspace = await openWorkspace(desk, agent.id)
  if ('refused' in workspace) return workspace
  const { root, root_access, context } = reachInCopy(state, workspace)
  return { reach: { root, root_access, context: [...context, ...shown] } }
}

/** Everything in the copy; of the rest only what is given to read, and what the copy itself needs. */
export function reachInCopy({ settings }: RunState, { path: root, needs = [] }: Workspace): Reach {
  const needed = needs.map((path) => ({ ...shownOnly, path }))
  return { root, root_access: 'write', context: [...settings.context_paths.map(readOnly), ...needed] }
}

/** Files of the person that the answer was not put into, be it that they changed them or refused: not to be written now either. */
async function leftAlone({ actor: { state }, turns }: RunDesk): Promise<ContextPath[]> {
  const conflicts = state.applied?.conflicts.slice(0, MOST_HELD) ?? []
  const files = turns.parts.files(state.folder)
  const found = await Promise.all(conflicts.map(({ path }) => files.stat(path)))
  return conflicts.flatMap(({ path }, index) => {
    const file = found[index]
    return !file || 'refused' in file ? [] : [{ ...shownOnly, path: `${state.folder}/${path}` }]
  })
}

/** The frozen folders of the answers that the agent is shown. */
function shownAnswers(state: RunState, ballot: readonly string[], all: boolean): ContextPath[] {
  const labels = all ? candidates(state).map(({ answer }) => answer.label) : ballot
  return labels.flatMap((label): ContextPath[] => {
    const path = findAnswer(state, label)?.snapshot.path ?? null
    return path === null ? [] : [{ ...shownOnly, path }]
  })
}

const shownOnly = { permission: 'read', protected_paths: [], unlisted: true } satisfies Omit<
  ContextPath,
  'path'
>

const readOnly = (context: ContextPath): ContextPath => ({ ...context, permission: 'read' })
