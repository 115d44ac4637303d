import { expect, test } from 'vitest'
import { openMemoryJournal } from '../../adapters/journal/memory-journal.ts'
import { append } from '../../core/list.ts'
import { type SessionState, initialSession } from '../../core/session/state.ts'
import type { TurnEvent } from '../../schema/turn-event.ts'
import { inParts } from './compact-chat.ts'
import { findRuns } from './find-runs.ts'

const called = (id: string, task: string): TurnEvent => ({
  type: 'tool.called',
  call: { id, name: 'launch_run', input: { task } },
  read_only: false,
  child: `run_${id}`,
})
const finished = (call_id: string, success: boolean): TurnEvent => ({
  type: 'tool.finished',
  call_id,
  success,
  output: '{}',
  duration_ms: 1,
})

test('the runs of the exchanges to be summarised are found in their logs, launched or asked for', async () => {
  const journal = openMemoryJournal()
  const events = [
    called('a', 'Compare\nthe teas'),
    finished('a', true),
    called('b', 'x'.repeat(500)),
    finished('b', false),
  ]
  await journal.append({ stream: 'turn_1', after: 0, at: '2026-01-01T00:00:00.000Z', events })
  const late = [called('c', 'later')]
  await journal.append({ stream: 'turn_3', after: 0, at: '2026-01-01T00:00:00.000Z', events: late })
  const chat: SessionState = {
    ...initialSession,
    turns: (['turn_1', 'run_2', 'turn_3'] as const).reduce(append<'turn_1' | 'run_2' | 'turn_3'>, null),
    messages: append(null, {
      id: 'm1',
      role: 'user',
      message_type: 'Text',
      text: 'Ask all',
      run_id: 'run_2',
    }),
  }
  const found = await findRuns(journal, chat, 2)
  expect(found.map(({ run_id, log }) => [run_id, log])).toEqual([
    ['run_a', '.conclave/logs/run_a'],
    ['run_b', '.conclave/logs/run_b'],
    ['run_2', '.conclave/logs/run_2'],
  ])
  expect(found.map(({ line }) => line)).toEqual([
    'done: Compare the teas',
    expect.stringMatching(/^not done: x{149}…$/),
    'Ask all',
  ])
})

test('what is too long for one request is summarised in parts of whole messages', () => {
  expect(inParts(['aaaa', 'bbbb', 'cccc', 'ddddddddddddd', 'e'], 9)).toEqual([
    'aaaa\n\nbbbb',
    'cccc',
    'ddddddddddddd',
    'e',
  ])
  expect(inParts([], 9)).toEqual([])
})
