import { describe, expect, it } from 'vitest'
import type { WrittenFile } from '../../schema/observation.ts'
import { planUndo } from './plan-undo.ts'

const created = (path: string, after: string): WrittenFile => ({ path, change: 'new', before: null, after })
const edited = (path: string, before: string, after: string): WrittenFile => ({
  path,
  change: 'modified',
  before,
  after,
})
const deleted = (path: string, before: string): WrittenFile => ({
  path,
  change: 'deleted',
  before,
  before_mode: 0o755,
  after: null,
})

const plan = (force: boolean, ...steps: WrittenFile[][]) =>
  planUndo(
    steps.map((files, index) => ({ call_id: `call_${index}`, files })),
    { force },
  )

describe('taking steps back', () => {
  it('restores an edited file, deletes a new one, recreates a deleted one with its rights', () => {
    expect(plan(false, [edited('a', '1', '2'), created('b', '3')], [deleted('c', '4')])).toEqual({
      restore: [
        { path: 'a', to: '1', expect: '2' },
        { path: 'b', to: null, expect: '3' },
        { path: 'c', to: '4', mode: 0o755, expect: null },
      ],
      lost: [],
    })
  })

  it('goes from the last state to the first over all steps of a file', () => {
    expect(plan(false, [edited('a', '1', '2')], [edited('a', '2', '3')], [deleted('a', '3')])).toEqual({
      restore: [{ path: 'a', to: '1', expect: null }],
      lost: [],
    })
    expect(plan(false, [created('a', '1')], [edited('a', '1', '2')]).restore).toEqual([
      { path: 'a', to: null, expect: '2' },
    ])
  })

  it('has nothing to do for a file that ended as it began', () => {
    expect(plan(false, [edited('a', '1', '2')], [edited('a', '2', '1')]).restore).toEqual([])
    expect(
      plan(false, [created('a', '1')], [{ ...deleted('a', '1'), before_mode: undefined }]).restore,
    ).toEqual([])
  })

  it('goes back only to what somebody else made of a file between two steps, unless forced', () => {
    const steps = [[edited('a', '1', '2')], [edited('a', 'theirs', '3')]]
    expect(plan(false, ...steps).restore).toEqual([
      { path: 'a', to: 'theirs', expect: '3', stopped_at: 'change_between' },
    ])
    expect(plan(true, ...steps).restore).toEqual([{ path: 'a', to: '1', expect: '3' }])
  })

  it('names the files whose old bytes were not kept', () => {
    expect(plan(false, [{ path: 'huge', change: 'modified' }, edited('a', '1', '2')])).toEqual({
      restore: [{ path: 'a', to: '1', expect: '2' }],
      lost: ['huge'],
    })
    expect(plan(false, [{ path: 'a', change: 'new' }], [edited('a', '1', '2')]).lost).toEqual(['a'])
  })
})
