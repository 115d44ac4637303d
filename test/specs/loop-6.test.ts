import { expect, test } from 'vitest'
import { runResult } from '../../src/view/run-result.ts'
import { Workbench } from '../support/workbench.ts'

const noise = 'line of terminal output '.repeat(40)
const bugFix = {
  files: { 'sum.js': 'export const sum = (a, b) => a - b\n' },
  replies: [
    { calls: [{ name: 'search_code', input: { pattern: 'sum' } }] },
    { calls: [{ name: 'read_file', input: { path: 'sum.js' } }] },
    {
      calls: [
        { name: 'update_file', input: { path: 'sum.js', edits: [{ old_text: 'a - b', new_text: 'a + b' }] } },
      ],
    },
    { calls: [{ name: 'shell', input: { command: `echo '${noise}'; echo 1 test passed` } }] },
    { calls: [{ name: 'read_file', input: { path: 'sum.js' } }] },
    { text: 'Fixed sum in sum.js: it subtracted. The test passes now.' },
  ],
}

test('LOOP-6.1 a five-step fix ends in a summary of the change and its confirmation, without terminal output', async () => {
  const bench = new Workbench(bugFix)
  const turn = await bench.run('fix sum')
  const { final_answer, files_written, workflow } = runResult(turn, bench.folder, { verbose: false })

  expect(workflow.iterations).toBe(6)
  expect(final_answer).toBe('Fixed sum in sum.js: it subtracted. The test passes now.')
  expect(files_written).toEqual([{ path: 'sum.js', change: 'modified' }])

  // A model that ends without words gets its summary from the observations, still without their output.
  const silent = new Workbench({
    ...bugFix,
    replies: [...bugFix.replies.slice(0, 5), { text: ' ', fails: 'no words left' }],
  })
  const wordless = await silent.run('fix sum')
  expect(wordless.answer).toContain('Changed so far: sum.js')
  expect(wordless.answer).not.toContain('line of terminal output')
})

test('LOOP-6.2 with verbose the summary lists every step with its observation', async () => {
  const bench = new Workbench(bugFix)
  const turn = await bench.run('fix sum')
  const { final_answer } = runResult(turn, bench.folder, { verbose: true })

  expect(final_answer).toContain('Fixed sum in sum.js')
  for (const step of [
    '1. search_code sum (ok',
    '2. read_file sum.js',
    '3. update_file sum.js',
    '4. shell echo',
    '5. read_file',
  ]) {
    expect(final_answer).toContain(step)
  }
  expect(final_answer).toContain('1 test passed')
})
