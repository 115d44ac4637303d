import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'

/** Replies of an agent that answers, having created a file if it says so, votes, and presents. */
export function teamMember(
  answer: string,
  {
    votes,
    reason = 'it is the best',
    file,
  }: { votes: string; reason?: string; file?: { path: string; content: string } },
): ScriptedReply[] {
  return [
    ...(file ? [{ calls: [{ name: 'create_file', input: file }] }] : []),
    { calls: [{ name: 'new_answer', input: { answer } }] },
    { calls: [{ name: 'vote', input: { agent_id: `{{candidate:${votes}}}`, reason } }] },
    { text: `Presented: ${answer}` },
  ]
}
