import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DurableEvent } from '../../src/schema/envelope.ts'
import type { CrashRun } from './crash-run.ts'
import type { ProgramCopy } from './program-copy.ts'
import { AGENTS, FINAL, type TeamWorkspace, WINNER, markOf } from './team-workspace.ts'
import { type Findings, checkFile, exportChat, findLost } from './verify-run.ts'

type EventOf<T extends DurableEvent['type']> = Extract<DurableEvent, { type: T }>

/** Holds what the program said while it was killed against what it has stored and done. */
export async function verifyTeam(
  program: ProgramCopy,
  workspace: TeamWorkspace,
  run: CrashRun,
): Promise<Findings> {
  const stored = run.chat ? await exportChat(program, workspace, run.chat) : []
  const events = stored.map(({ event }) => event)
  const lost = findLost(run.acknowledged, stored)
  const marks = judgeMarks(workspace, events)
  const problems = [
    ...run.surprises,
    ...lost,
    ...(run.finished ? [] : [`${run.chat ?? 'a run'} did not come to its end after ${run.kills} kills`]),
    ...checkRun(events),
    ...marks.problems,
    ...checkFolder(workspace),
    ...(await workspace.leftovers()).map((name) => `left behind: ${name}`),
    ...checkFile(workspace),
  ]
  const cut = events.filter((event) => event.type === 'tool.finished' && event.cut === 'interrupted').length
  return { lost: lost.length, interrupted: cut, repeated: marks.repeated, problems }
}

/** The same end, however often it was killed: everybody answered and voted at most once, one of them presented. */
function checkRun(events: DurableEvent[]): string[] {
  const of = <T extends DurableEvent['type']>(type: T): EventOf<T>[] =>
    events.filter((event): event is EventOf<T> => event.type === type)
  const found = {
    answers: of('answer.submitted')
      .map(({ label, text }) => `${label} ${text}`)
      .sort(),
    // The last vote may come when the others have decided it.
    rejected: [...of('answer.rejected'), ...of('vote.rejected'), ...of('agent.out')]
      .map(({ reason }) => reason)
      .filter((reason) => reason !== 'the vote is closed'),
    voted_again: of('vote.cast').length - new Set(of('vote.cast').map(({ voter }) => voter)).size,
    votes_for: [...new Set(of('vote.cast').map((vote) => vote.for))],
    evidence: of('evidence.recorded').flatMap(({ results }) => results.map(({ status }) => status)),
    decided: of('voting.completed').map(({ winner }) => winner),
    presented: of('presentation.started').map(({ agent_id }) => agent_id),
    applied: of('answer.applied').map(({ conflicts }) => conflicts.length),
    finished: of('run.finished').map(({ status, final_answer }) => `${status} ${final_answer}`),
    closed: of('run.closed').map(({ outcome }) => outcome),
    logs: of('log.stored').length,
  }
  const expected: typeof found = {
    answers: AGENTS.map((agent, index) => `agent${index + 1}.1 the work of ${agent}`),
    rejected: [],
    voted_again: 0,
    votes_for: [WINNER],
    evidence: AGENTS.map(() => 'passed'),
    decided: [WINNER],
    presented: [WINNER],
    applied: [0],
    finished: [`complete ${FINAL}`],
    closed: ['complete'],
    logs: 1,
  }
  const [is, wanted] = [JSON.stringify(found), JSON.stringify(expected)]
  return is === wanted ? [] : [`the run is\n  ${is}\ninstead of\n  ${wanted}`]
}

/** What the winner did is in the folder once, and surely so when it was told of success; of the others there is nothing. */
function judgeMarks(
  workspace: TeamWorkspace,
  events: DurableEvent[],
): { repeated: number; problems: string[] } {
  const results = new Map(
    events.flatMap((event) => (event.type === 'tool.finished' ? [[event.call_id, event] as const] : [])),
  )
  const problems: string[] = []
  let repeated = 0
  for (const event of events) {
    if (event.type !== 'tool.called') continue
    const { call } = event
    const result = results.get(call.id)
    if (!result) problems.push(`${call.id} (${call.name}) has no result`)
    else if (!result.success && result.cut !== 'interrupted' && result.cut !== 'not_run')
      problems.push(`${call.id} (${call.name}) failed: ${result.output}`)
    const mark = markOf(JSON.stringify(call.input))
    if (mark === undefined) continue
    const count = workspace.count(mark)
    if (count > 1) repeated += 1
    const wrong = mark.startsWith(`mark-${WINNER}-`)
      ? count > 1 || (result?.success && count !== 1)
      : count > 0
    if (wrong)
      problems.push(`${mark} is ${count} times in the folder (${result?.success ? 'done' : result?.cut})`)
  }
  return { repeated, problems }
}

function checkFolder({ folder }: TeamWorkspace): string[] {
  const theirs = readFileSync(join(folder, 'theirs'), 'utf8')
  return theirs === 'of the person\n' ? [] : [`the person's own file holds ${JSON.stringify(theirs)}`]
}
