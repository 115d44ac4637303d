import type { History } from './world.ts'

/** What happened in a history, by name: the seeds are worth something only if they reach all of it. */
export function reached({ stored, scenario, calls, acknowledged, lives, writes }: History): string[] {
  const found = new Set<string>()
  for (const { event } of stored) {
    switch (event.type) {
      case 'run.finished':
        found.add(`ended ${event.status}`)
        break
      case 'voting.completed':
        found.add(`decided: ${event.reason}`)
        if (event.tie) found.add('a tie')
        break
      case 'vote.rejected':
        found.add(`vote refused: ${reasonOf(event.reason)}`)
        break
      case 'answer.rejected':
        found.add(`answer refused: ${reasonOf(event.reason)}`)
        break
      case 'agent.out':
        found.add(`out: ${reasonOf(event.reason)}`)
        break
      case 'pending.opened':
        found.add(`asked: ${event.pending.kind}`)
        break
      case 'update.injected':
      case 'agent.warned':
      case 'winner.overridden':
      case 'evidence.recorded':
      case 'answer.applied':
      case 'deadline.reached':
      case 'guardrail.tripped':
      case 'guidance.given':
        found.add(event.type)
        break
      default:
    }
  }
  if (lives > 1) found.add('a restart')
  if (scenario.behaviours.size >= 20) found.add('twenty agents or more')
  if (calls.some(({ ended }) => ended === 'aborted')) found.add('a call cut short')
  if (acknowledged.some(({ accepted }) => !accepted)) found.add('a command refused')
  if (writes.some(({ via }) => via === 'apply')) found.add('files put into the folder')
  return [...found]
}

const reasonOf = (reason: string): string =>
  reason
    .replaceAll(/"[^"]*"/g, '…')
    .replaceAll(/\d+/g, 'n')
    .replace(/;.*/, '')
    .slice(0, 60)

/** Without these the simulation would prove little. */
export const mustReach = [
  'ended complete',
  'ended failed',
  'ended limit',
  'ended cancelled',
  'decided: voted',
  'decided: decided',
  'decided: one_candidate',
  'decided: no_votes',
  'decided: skipped',
  'decided: timeout',
  'a tie',
  'vote refused: there are newer answers than the ones you have seen',
  'vote refused: there is no candidate …',
  'vote refused: there is nothing to vote on yet: answer',
  'vote refused: the vote is closed',
  'answer refused: you have given this answer before',
  'answer refused: the vote is closed',
  'out: it took longer than the round allows',
  'out: the provider hung up',
  'asked: override',
  'asked: tool_approval',
  'asked: question',
  'update.injected',
  'agent.warned',
  'winner.overridden',
  'evidence.recorded',
  'answer.applied',
  'deadline.reached',
  'guardrail.tripped',
  'guidance.given',
  'a restart',
  'twenty agents or more',
  'a call cut short',
  'a command refused',
  'files put into the folder',
]
