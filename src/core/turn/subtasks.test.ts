import { describe, expect, test } from 'vitest'
import type { SubtaskSpec } from '../../schema/turn-event.ts'
import type { Subtask } from './state.ts'
import { deadSubtasks, describeSubtasks, findSubtaskProblems, readySubtasks } from './subtasks.ts'

const spec = (id: string, ...depends_on: string[]): SubtaskSpec => ({ id, task: `do ${id}`, depends_on })
const at = (status: Subtask['status'], id: string, ...depends_on: string[]): Subtask => ({
  ...spec(id, ...depends_on),
  status,
})
const ids = (subtasks: { id: string }[]) => subtasks.map(({ id }) => id)

describe('a decomposition that cannot be carried out says why', () => {
  test.each<[string, SubtaskSpec[], string[]]>([
    ['empty', [], ['there is no sub-task']],
    ['duplicate ids', [spec('a'), spec('b'), spec('a')], ['the id "a" is used twice']],
    ['unknown dependency', [spec('a', 'ghost')], ['"a" depends on "ghost", which does not exist']],
    ['self-cycle', [spec('a', 'a')], ['the dependencies form a cycle: a → a']],
    ['two in a cycle', [spec('a', 'b'), spec('b', 'a')], ['the dependencies form a cycle: a → b → a']],
    [
      'several problems at once',
      [spec('a', 'x'), spec('a', 'y')],
      [
        'the id "a" is used twice',
        '"a" depends on "x", which does not exist',
        '"a" depends on "y", which does not exist',
      ],
    ],
  ])('%s', (_, subtasks, problems) => {
    expect(findSubtaskProblems(subtasks)).toEqual(problems)
  })

  test('a long cycle, named without the sub-tasks that only lead into it', () => {
    const ring = Array.from({ length: 50 }, (_, index) => spec(`t${index}`, `t${(index + 1) % 50}`))
    const [problem, ...others] = findSubtaskProblems([spec('outside', 't7'), spec('free'), ...ring])

    expect(others).toEqual([])
    expect(problem).toMatch(/^the dependencies form a cycle: t7 → t8 → .* → t6 → t7$/)
    expect(problem).not.toContain('outside')
  })
})

test('a decomposition without a cycle has no problems, whatever the order it is written in', () => {
  expect(findSubtaskProblems([spec('join', 'left', 'right'), spec('left'), spec('right', 'left')])).toEqual(
    [],
  )
  const chain = Array.from({ length: 300 }, (_, index) =>
    spec(`t${index}`, ...(index < 299 ? [`t${index + 1}`] : [])),
  )
  expect(findSubtaskProblems(chain)).toEqual([])
})

describe('order', () => {
  test('what needs nothing is ready at once, in the order written', () => {
    const all = [at('waiting', 'join', 'a', 'b'), at('waiting', 'b'), at('waiting', 'a')]
    expect(ids(readySubtasks(all))).toEqual(['b', 'a'])
  })

  test('a sub-task is ready when everything it needs is complete, and not before', () => {
    const join = at('waiting', 'join', 'a', 'b')
    expect(ids(readySubtasks([at('complete', 'a'), at('running', 'b'), join]))).toEqual([])
    expect(ids(readySubtasks([at('complete', 'a'), at('complete', 'b'), join]))).toEqual(['join'])
  })

  test('what runs or is over is not started again', () => {
    expect(readySubtasks([at('running', 'a'), at('complete', 'b'), at('failed', 'c')])).toEqual([])
  })

  test.each(['failed', 'limit', 'cancelled', 'skipped'] as const)(
    'what needs a sub-task that is %s can never start',
    (status) => {
      const all = [at(status, 'a'), at('waiting', 'b', 'a'), at('waiting', 'c', 'b')]
      expect(ids(deadSubtasks(all))).toEqual(['b'])
      expect(readySubtasks(all)).toEqual([])
    },
  )

  test.each(['waiting', 'running', 'complete'] as const)(
    'what needs a sub-task that is %s may still',
    (status) => {
      expect(deadSubtasks([at(status, 'a'), at('waiting', 'b', 'a')])).toEqual([])
    },
  )
})

test('the report names each sub-task with how it went and what it said', () => {
  const text = describeSubtasks([{ ...at('complete', 'a'), summary: 'a is there' }, at('skipped', 'b')])
  expect(text).toBe('## a: complete\na is there\n\n## b: skipped')
})
