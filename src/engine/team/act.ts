import { ruleOnChange } from '../../core/policy/authorize.ts'
import type { RunEffect } from '../../core/run/effects.ts'
import { sha256 } from '../../core/sha256.ts'
import { rewritePaths } from '../../core/writes/rewrite-paths.ts'
import type { AnswerSnapshot } from '../../schema/coordination.ts'
import { type TeamAct, type ToolResult, failed } from '../../tools/tool.ts'
import type { ChangedFile } from '../../ports/workspace.ts'
import { type RunDesk, turnOf } from './desk.ts'
import { sendNews } from './news.ts'
import { openWorkspace, worksInCopy } from './reach-for.ts'

type RunTurn = Extract<RunEffect, { type: 'run_turn' }>

/** At most so many changed files are listed, those a person is asked about first; the snapshot holds all of them. */
const MOST_LISTED = 200

/** Answers or votes for an agent, and tells it what came of that. Doing it again after a crash changes nothing. */
export async function act(desk: RunDesk, effect: RunTurn, done: TeamAct): Promise<ToolResult> {
  const { actor, turns } = desk
  const { agent, turn } = effect
  const who = { agent_id: agent.id, turn_id: turn.turn_id, call_id: done.call_id }
  const now = () => turns.parts.clock.now()
  if (done.kind === 'answer') {
    const frozen = await freeze(desk, effect, done.call_id)
    if ('refused' in frozen) return failed(`Your folder could not be frozen: ${frozen.refused}`)
    const text = frozen.path
      ? rewritePaths(done.text, [{ from: frozen.path, to: desk.order.chat.folder }])
      : done.text
    const refused = await actor.send({
      type: 'submit_answer',
      ...who,
      text,
      snapshot: frozen.snapshot,
      now: now(),
    })
    if (refused) return failed(`Not taken: ${refused.rejected}.`)
  } else {
    const { choice, reason } = done
    const refused = await actor.send({ type: 'vote', ...who, choice, reason, now: now() })
    if (refused) return failed(`Not taken: ${refused.rejected}.`)
  }
  const current = turnOf(actor.state, agent.id, turn.turn_id)
  const verdict = current?.verdicts.findLast(({ call_id }) => call_id === done.call_id)
  if (verdict?.accepted)
    return {
      success: true,
      output: done.kind === 'answer' ? 'Your answer was taken.' : 'Your vote was taken.',
    }
  const news = current?.news ?? []
  if (done.kind === 'vote' && current?.may_vote && news.length > 0) {
    // It must have heard of them before it is asked again.
    await sendNews(desk, { agent_id: agent.id, turn: current, labels: news })
    return failed(
      `Not taken: ${verdict?.reason ?? 'there are newer answers'}. They follow; then vote or answer.`,
    )
  }
  return failed(`Not taken: ${verdict?.reason ?? 'this turn no longer counts'}.`)
}

/** What the agent leaves in its copy, as it is now. In a planning run, and in the person's own folder, there is no copy. */
async function freeze(
  desk: RunDesk,
  { agent }: RunTurn,
  call_id: string,
): Promise<{ path?: string; snapshot: AnswerSnapshot } | { refused: string }> {
  const none: AnswerSnapshot = { id: '', path: null, files: 0, added: 0, removed: 0, changed: [] }
  if (!worksInCopy(desk.actor.state)) return { snapshot: none }
  const workspace = await openWorkspace(desk, agent.id)
  if ('refused' in workspace) return workspace
  // Voters see where it is, and a call's own name would tell them whose it is.
  const id = sha256(call_id).slice(0, 16)
  const snapshot = await desk.team.workspaces.snapshot(workspace, id)
  if ('refused' in snapshot) return snapshot
  const { files, added, removed } = snapshot.changes
  const { rules = [] } = desk.actor.state.settings.turn
  const weight = (file: ChangedFile): number =>
    ruleOnChange(rules, file) === 'ask' ? 2 : Number(file.change === 'deleted')
  const weighed = files
    .map((file) => ({ file, weight: weight(file) }))
    .toSorted((a, b) => b.weight - a.weight)
  const changed = weighed.slice(0, MOST_LISTED).map(({ file: { path, change } }) => ({ path, change }))
  return {
    path: workspace.path,
    snapshot: { id, path: snapshot.path, files: files.length, added, removed, changed },
  }
}
