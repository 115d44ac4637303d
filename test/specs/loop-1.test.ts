import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toArray } from '../../src/core/list.ts'
import { Workbench } from '../support/workbench.ts'

test('LOOP-1.1 a rename is planned by searching, carried out by editing, observed and reflected on', async () => {
  const bench = new Workbench({
    files: {
      'src/a.js': 'export const oldName = () => 1\n',
      'src/b.js': "import { oldName } from './a.js'\noldName()\n",
    },
    replies: [
      {
        text: 'I search for the usages first.',
        calls: [{ name: 'search_code', input: { pattern: 'oldName' } }],
      },
      {
        calls: [
          {
            name: 'update_file',
            input: { path: 'src/a.js', edits: [{ old_text: 'oldName', new_text: 'newName' }] },
          },
          {
            name: 'update_file',
            input: {
              path: 'src/b.js',
              edits: [{ old_text: 'oldName', new_text: 'newName', replace_all: true }],
            },
          },
        ],
      },
      { calls: [{ name: 'search_code', input: { pattern: 'oldName' } }] },
      { text: 'Renamed oldName to newName in 2 files.' },
      { text: '{"verdict": "complete", "reason": "the last search found no oldName"}' },
    ],
  })
  const turn = await bench.run('Find all usages of function oldName and rename to newName', {
    reflect: 'changed',
  })

  expect(turn.outcome).toBe('complete')
  expect(readFileSync(join(bench.folder, 'src/b.js'), 'utf8')).toBe(
    "import { newName } from './a.js'\nnewName()\n",
  )
  const events = bench.turnEvents()
  const order = events.flatMap((event) => {
    if (event.type === 'phase.entered') return [event.phase]
    return event.type === 'tool.called' ? [event.call.name] : []
  })
  expect(order).toEqual([
    ...['Planning', 'search_code', 'Observing', 'Reflecting'],
    ...['Planning', 'Acting', 'update_file', 'update_file', 'Observing', 'Reflecting'],
    ...['Planning', 'search_code', 'Observing', 'Reflecting'],
    ...['Planning', 'Reflecting', 'Complete'],
  ])
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'reflection.recorded', verdict: 'complete', by: 'model' }),
  )
  expect(turn.files).toEqual([
    { path: 'src/a.js', change: 'modified' },
    { path: 'src/b.js', change: 'modified' },
  ])
})

test('LOOP-1.2 a turn that goes past its iterations ends with a report of its progress', async () => {
  const listing = (path: string) => ({ calls: [{ name: 'list_directory', input: { path } }] })
  const bench = new Workbench({
    files: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`d${index}/f`, ''])),
    replies: Array.from({ length: 20 }, (_, index) => listing(`d${index}`)),
  })
  const turn = await bench.run('look at everything', { max_iterations: 15 })

  expect(turn.outcome).toBe('limit')
  expect(turn.phase).toBe('Failed')
  expect(turn.iteration).toBe(15)
  expect(toArray(turn.observations)).toHaveLength(15)
  expect(turn.answer).toContain('15 iterations')
  expect(turn.answer).toContain('list_directory d14')
})
