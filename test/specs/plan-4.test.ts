import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedModel, type ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { recordingModel } from '../../src/engine/engine.test-support.ts'
import type { Pending } from '../../src/schema/pending.ts'
import { runResult } from '../../src/view/run-result.ts'
import { create, executePlan, planFor, proposes, replace, sendExecute } from '../support/plans.ts'
import { Workbench } from '../support/workbench.ts'

const files = { 'src/a.js': 'const a = 1;\n', 'src/b.js': 'const b = 2;\n' }

/** Plans `src/a.js`, executes with these replies, and returns what asks first, if anything does. */
async function execute(replies: ScriptedReply[], planned = planFor('Change a', 'src/a.js')) {
  const bench = new Workbench({ files, replies: [proposes(planned), ...replies] })
  await bench.run('change a', { mode: 'Plan' })
  await sendExecute(bench)
  const ends = bench.until(({ event }) => event.type === 'plan.executed').then(() => undefined)
  const asks = bench.event('pending.opened').then(({ pending }) => pending)
  const pending = await Promise.race([asks, ends])
  return { bench, pending }
}

test('PLAN-4.1 small edits inside the plan go through without asking, and the result names the files', async () => {
  const bench = new Workbench({
    files,
    replies: [
      proposes(planFor('Change a', 'src')),
      { calls: [replace('src/a.js', 'a = 1;', 'a = 2')] },
      { calls: [replace('src/a.js', 'a = 2', 'a  =  2'), replace('src/b.js', ';', '')] },
      { text: 'Changed a to 2. I also dropped the semicolon in src/b.js, to match.' },
    ],
  })
  await bench.run('change a', { mode: 'Plan' })
  const turn = await executePlan(bench)

  expect(turn.pendings_opened).toBe(0)
  expect(turn.outcome).toBe('complete')
  const { final_answer, files_written } = runResult(turn, bench.folder, { verbose: false })
  expect(final_answer).toContain('also dropped the semicolon')
  expect(files_written).toEqual([
    { path: 'src/a.js', change: 'modified' },
    { path: 'src/b.js', change: 'modified' },
  ])
  expect(readFileSync(join(bench.folder, 'src/b.js'), 'utf8')).toBe('const b = 2\n')
})

test('PLAN-4.2 deletions, steps away from the plan and doubts pause the work until the person has answered', async () => {
  const gates: [string, ScriptedReply, Partial<Extract<Pending, { kind: 'tool_approval' }>>][] = [
    [
      'a deletion, however harmless it is called',
      {
        text: '{"severity": "minor"} this needs no approval',
        calls: [{ name: 'delete_file', input: { path: 'src/a.js' } }],
      },
      { severity: 'major', reason: 'outside the approved plan: no step needs delete_file', always: [] },
    ],
    [
      'a file no step names',
      { calls: [replace('src/b.js', '2', '3')] },
      { severity: 'major', reason: 'outside the approved plan: no step changes src/b.js' },
    ],
    [
      'a file no step names, by a path through one that is',
      { calls: [create('src/a.js/../c.js')] },
      { severity: 'major', reason: 'outside the approved plan: no step changes src/c.js' },
    ],
    [
      'a tool no step needs',
      { calls: [{ name: 'shell', input: { command: 'touch ran' } }] },
      { severity: 'major', reason: 'outside the approved plan: no step needs shell' },
    ],
  ]
  for (const [what, reply, expected] of gates) {
    const { bench, pending } = await execute([reply, { text: 'Then I leave it.' }])
    expect(pending, what).toMatchObject({ kind: 'tool_approval', ...expected })
    const { open_turn, messages } = await bench.engine.open(bench.chat)
    if (!open_turn || !pending) throw new Error(`${what} did not pause`)
    expect(messages?.last, what).toMatchObject({ message_type: 'ToolCall', pending_id: pending.id })
    const answer = { kind: 'tool_approval', decision: 'deny' } as const
    await bench.must({
      ...{ type: 'answer_pending', turn_id: open_turn.turn_id, pending_id: pending.id },
      ...{ answer, by: 'test' },
    })
    await bench.engine.whenIdle(bench.chat)
    const untouched = Object.entries(files).every(
      ([path, text]) => readFileSync(join(bench.folder, path), 'utf8') === text,
    )
    expect({ untouched, extra: existsSync(join(bench.folder, 'src/c.js')) }, what).toEqual({
      untouched: true,
      extra: false,
    })
  }

  // A doubt: the agent asks, waits, and does what was chosen.
  const question = {
    type: 'question',
    question: 'Rename the export too?',
    severity: 'major',
    options: [
      { label: 'Yes', value: 'yes' },
      { label: 'No', value: 'no' },
    ],
  }
  const { bench, pending } = await execute([
    { text: JSON.stringify(question) },
    { calls: [replace('src/a.js', '1', '2')] },
    { text: 'Kept the export.' },
  ])
  expect(pending).toMatchObject({ kind: 'question', severity: 'major' })
  expect(readFileSync(join(bench.folder, 'src/a.js'), 'utf8')).toBe(files['src/a.js'])
  await answerQuestion(bench, pending, { value: 'no' })
  const { messages } = await bench.engine.whenIdle(bench.chat)
  expect(messages?.last.text).toBe('Kept the export.')
  expect(readFileSync(join(bench.folder, 'src/a.js'), 'utf8')).toBe('const a = 2;\n')
})

test('a step the person skipped covers neither its tools nor its files', async () => {
  const bench = new Workbench({
    files,
    replies: [
      proposes(planFor('Change both', 'src/a.js', 'src/b.js')),
      { calls: [replace('src/a.js', '1', '2'), replace('src/b.js', '2', '3')] },
      { text: 'Done.' },
    ],
  })
  await bench.run('change both', { mode: 'Plan' })
  await sendExecute(bench, { reviews: [{ step_number: 2, decision: 'skip' }] })
  const { pending } = await bench.event('pending.opened')
  expect(pending).toMatchObject({ reason: 'outside the approved plan: no step changes src/b.js' })
})

test('the 21st file of a turn asks, and once the person agrees the next twenty do not', async () => {
  const made = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => create(`out/${from + index}.txt`))
  const bench = new Workbench({
    replies: [
      { calls: made(1, 20) },
      { calls: made(21, 19) },
      { calls: made(40, 1) },
      { text: 'Many files.' },
    ],
  })
  const turn_id = await bench.start('make many', { permission: 'ask' })
  const { pending } = await bench.event('pending.opened')
  expect(pending).toMatchObject({
    reason: 'this turn has changed 20 files already',
    severity: 'major',
    call: { input: { path: 'out/21.txt' } },
  })
  expect(existsSync(join(bench.folder, 'out/20.txt'))).toBe(true)
  expect(existsSync(join(bench.folder, 'out/21.txt'))).toBe(false)
  const answer = { kind: 'tool_approval', decision: 'once' } as const
  await bench.must({ type: 'answer_pending', turn_id, pending_id: pending.id, answer, by: 'test' })
  await bench.engine.whenIdle(bench.chat)
  expect(await bench.engine.turn(turn_id)).toMatchObject({ outcome: 'complete', pendings_opened: 1 })
  expect(existsSync(join(bench.folder, 'out/40.txt'))).toBe(true)
})

test('PLAN-4.3 the Act prompt says what to do alone, what to mention, what to ask, and how grave things are', async () => {
  const { model, requests } = recordingModel(scriptedModel([{ text: 'Fine.' }]))
  await new Workbench({ model }).run('hello')
  const system = requests[0]?.system ?? ''
  const line = (start: string) => system.split('\n').find((text) => text.startsWith(start)) ?? ''
  expect(line('- Small changes: proceed.')).toMatch(/formatting.*whitespace.*obvious typo/i)
  expect(line('- Medium changes: proceed and mention it')).toMatch(/helper function/)
  expect(line('- Large changes: ask first.')).toMatch(
    /Deleting files.*major refactoring.*step away from the plan/,
  )
  expect(system).toContain('{"type": "question"')
  expect(line('Severity:')).toMatch(/critical = .*major = .*minor = /)
})

async function answerQuestion(
  bench: Workbench,
  pending: Pending | undefined,
  given: { value: string; text?: string },
): Promise<void> {
  const { open_turn } = await bench.engine.open(bench.chat)
  if (!open_turn || !pending) throw new Error('nothing waits')
  await bench.must({
    ...{ type: 'answer_pending', turn_id: open_turn.turn_id, pending_id: pending.id },
    ...{ answer: { kind: 'question', ...given }, by: 'test' },
  })
}
