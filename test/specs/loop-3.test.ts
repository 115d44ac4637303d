import { expect, test } from 'vitest'
import type { Model, ModelPart } from '../../src/ports/model.ts'
import type { TurnEvent } from '../../src/schema/turn-event.ts'
import { Workbench } from '../support/workbench.ts'

/** A model that answers by the task it was given and by how many replies it gave in it. */
function byTask(script: Record<string, ModelPart[][]>): Model {
  return {
    label: 'by task',
    async *stream({ messages }) {
      const [first] = messages
      const replies = script[first?.role === 'user' ? first.text : ''] ?? []
      yield* (
        replies[messages.filter(({ role }) => role === 'assistant').length] ?? [{ type: 'text', text: '?' }]
      )
    },
  }
}

const call = (name: string, input: object): ModelPart[] => [
  { type: 'call', id: '1', name, arguments: JSON.stringify(input) },
]
const says = (text: string): ModelPart[] => [{ type: 'text', text }]

test('LOOP-3.1 exploration is delegated to a read-only sub-agent and only its summary comes back', async () => {
  const secret = 'SECRET DETAIL '.repeat(50)
  const bench = new Workbench({
    files: { 'src/deep.ts': secret },
    model: byTask({
      'understand the code': [
        call('explore', { question: 'where is the detail?' }),
        says('It is in src/deep.ts.'),
      ],
      'where is the detail?': [
        call('read_file', { path: 'src/deep.ts' }),
        call('create_file', { path: 'evil.txt', content: 'x' }),
        says('The detail is in src/deep.ts, line 1.'),
      ],
    }),
  })
  const turn = await bench.run('understand the code')

  expect(turn.answer).toBe('It is in src/deep.ts.')
  const observation = turn.observations?.last
  expect(observation).toMatchObject({
    tool: 'explore',
    success: true,
    output: 'The detail is in src/deep.ts, line 1.',
  })
  expect(JSON.stringify(turn)).not.toContain('SECRET')
  expect(turn.files).toEqual([])
  expect(turn.usage.model_calls).toBe(5)
  const child = bench.turnEvents().find((event) => event.type === 'turn.started' && event.parent)
  expect(child).toMatchObject({ parent: { turn_id: turn.turn_id }, settings: { mode: 'Plan' } })
  const refused = bench
    .turnEvents()
    .filter((event) => event.type === 'tool.finished' && event.cut === 'not_run')
  expect(refused).toHaveLength(1)
})

test('LOOP-3.2 sub-tasks run in the order of their dependencies, independent ones in parallel, cycles not at all', async () => {
  const subtasks = [
    { id: 'join', task: 'join the halves', depends_on: ['left', 'right'] },
    { id: 'left', task: 'write the left half' },
    { id: 'right', task: 'write the right half' },
  ]
  const bench = new Workbench({
    model: byTask({
      'build it': [call('delegate', { subtasks }), says('All built.')],
      'write the left half': [call('create_file', { path: 'left', content: 'L' }), says('left is there')],
      'write the right half': [call('create_file', { path: 'right', content: 'R' }), says('right is there')],
      'join the halves': [call('shell', { command: 'cat left right > both' }), says('joined')],
    }),
  })
  const turn = await bench.run('build it')

  expect(turn.outcome).toBe('complete')
  const track = bench.turnEvents().flatMap((event: TurnEvent) => {
    if (event.type === 'subtask.started') return [`${event.subtask_id} starts`]
    return event.type === 'subtask.finished' ? [`${event.subtask_id} ${event.outcome}`] : []
  })
  expect(track.slice(0, 2).sort()).toEqual(['left starts', 'right starts'])
  expect(track.slice(2, 4).sort()).toEqual(['left complete', 'right complete'])
  expect(track.slice(4)).toEqual(['join starts', 'join complete'])
  expect(turn.observations?.last).toMatchObject({ tool: 'delegate', success: true })
  expect(turn.files.map(({ path }) => path).sort()).toEqual(['left', 'right'])

  const cyclic = new Workbench({
    model: byTask({
      'build it': [
        call('delegate', {
          subtasks: [
            { id: 'a', task: 'x', depends_on: ['b'] },
            { id: 'b', task: 'y', depends_on: ['a'] },
          ],
        }),
        says('That did not work.'),
      ],
    }),
  })
  const rejected = await cyclic.run('build it')
  expect(rejected.observations?.last).toMatchObject({ success: false })
  expect(rejected.observations?.last.error).toContain('cycle: a → b → a')
  expect(cyclic.turnEvents().some((event) => event.type === 'subtask.started')).toBe(false)
})
