import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TeamBench, answers, votesFor } from '../support/team-bench.ts'

test('a rule asks about its file, however many others the answer changes', async () => {
  const command = 'for i in $(seq 1 250); do echo x > a$i.txt; done; echo x > z-asked.txt; rm old.txt'
  const bench = new TeamBench({
    files: { 'old.txt': 'old\n' },
    agents: {
      a: [{ calls: [{ name: 'shell', input: { command } }] }, answers('made them'), votesFor('made')],
      b: [answers('would not'), votesFor('made')],
    },
    strategy: 'winner_reuse',
    settings: {
      turn: {
        ...{ permission: 'auto', max_iterations: 15, reflect: 'never' },
        rules: [{ tool: 'create_file', resource: 'z-asked.txt', action: 'ask' }],
      },
    },
  })
  const id = await bench.start('make them')
  const asked = await bench.until(({ event }) => ['pending.opened', 'run.finished'].includes(event.type))
  expect(asked.event).toMatchObject({
    type: 'pending.opened',
    pending: { kind: 'tool_approval', reason: 'a rule of the config asks about z-asked.txt' },
  })
  const { pendings } = await bench.engine.run(id)
  await bench.must({
    ...{ type: 'answer_pending', turn_id: id, pending_id: pendings[0]?.id ?? '', by: 'person' },
    answer: { kind: 'tool_approval', decision: 'deny' },
  })
  await bench.engine.whenIdle(bench.chat)
  expect(existsSync(join(bench.folder, 'z-asked.txt'))).toBe(false)
  expect(existsSync(join(bench.folder, 'a1.txt'))).toBe(false)
})

test('what a person refused to have written, the presenter does not write either', async () => {
  const create = (path: string) => ({ calls: [{ name: 'create_file', input: { path, content: 'new\n' } }] })
  const bench = new TeamBench({
    files: { 'old.txt': 'old\n' },
    agents: {
      a: [
        create('new.txt'),
        { calls: [{ name: 'shell', input: { command: 'rm old.txt' } }] },
        answers('replaced old.txt'),
        votesFor('replaced'),
        create('new.txt'),
        { text: 'As you like.' },
      ],
      b: [answers('would not'), votesFor('replaced')],
    },
    settings: {
      turn: {
        ...{ permission: 'auto-edit', max_iterations: 15, reflect: 'never' },
        rules: [{ tool: 'shell', action: 'allow' }],
      },
    },
  })
  const id = await bench.start('replace old.txt')
  await bench.until(({ event }) => event.type === 'pending.opened')
  const { pendings } = await bench.engine.run(id)
  expect(pendings).toMatchObject([{ kind: 'tool_approval', reason: 'it deletes a file' }])
  await bench.must({
    ...{ type: 'answer_pending', turn_id: id, pending_id: pendings[0]?.id ?? '', by: 'person' },
    answer: { kind: 'tool_approval', decision: 'deny' },
  })
  await bench.engine.whenIdle(bench.chat)
  const { finished, writes } = await bench.engine.run(id)
  expect(finished?.final_answer).toContain('As you like.\n\nNot written to your folder:')
  expect(writes?.files).toEqual([])
  expect(existsSync(join(bench.folder, 'new.txt'))).toBe(false)
})
