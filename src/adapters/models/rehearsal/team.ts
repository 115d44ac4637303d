import type { ModelRequest } from '../../../ports/model.ts'

export interface TeamReply {
  text: string
  calls: { name: string; input: Record<string, unknown> }[]
}

/** What the planner says in a team when it is shown candidates: its vote, or the winning answer as it stands. */
export function teamReply({ messages, tools }: ModelRequest): TeamReply | undefined {
  const last = messages.at(-1)
  const shown = last?.role === 'user' ? readCandidates(last.text) : []
  const [first] = shown
  if (!first) return undefined
  if (!tools.some(({ name }) => name === 'vote')) return { text: first.answer, calls: [] }
  const best = shown.toSorted((a, b) => a.failed - b.failed || b.passed - a.passed)[0] ?? first
  const reason =
    best.failed + best.passed > 0
      ? `checks: ${best.passed} passed, ${best.failed} failed`
      : 'it does what was asked, and nothing speaks against it'
  return { text: '', calls: [{ name: 'vote', input: { agent_id: best.id, reason } }] }
}

/** In a team an answer is given with a call. */
export function asTeamAnswer(reply: TeamReply, { tools }: ModelRequest): TeamReply {
  if (reply.calls.length > 0 || !tools.some(({ name }) => name === 'new_answer')) return reply
  return { text: '', calls: [{ name: 'new_answer', input: { answer: reply.text } }] }
}

interface Shown {
  id: string
  passed: number
  failed: number
  answer: string
}

function readCandidates(text: string): Shown[] {
  return [...text.matchAll(/<candidate id="([^"]+)">\n([^]*?)\n<\/candidate>/g)].map(
    ([, id = '', body = '']) => {
      const [facts = '', ...answer] = body.split('\n')
      const hasFacts = / · |^this is|: (passed|failed|timeout)|^changes |^took /.test(facts)
      return {
        id,
        passed: hasFacts ? (facts.match(/: passed/g)?.length ?? 0) : 0,
        failed: hasFacts ? (facts.match(/: (failed|timeout)/g)?.length ?? 0) : 0,
        answer: (hasFacts ? answer : [facts, ...answer]).join('\n'),
      }
    },
  )
}
