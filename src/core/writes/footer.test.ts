import { describe, expect, it } from 'vitest'
import type { Write } from './diff-snapshots.ts'
import { writesFooter, writesList } from './footer.ts'

const writes = (count: number): Write[] =>
  Array.from({ length: count }, (_, index) => ({ path: `src/f${index}.ts`, change: 'new' }))

describe('the footer of writes', () => {
  it('names up to five', () => {
    const few: Write[] = [
      { path: 'a.ts', change: 'new' },
      { path: 'b.ts', change: 'modified' },
      { path: 'c.ts', change: 'deleted' },
    ]
    expect(writesFooter(few, '/log')).toBe(
      'Files written to context paths:\n- a.ts (new)\n- b.ts (modified)\n- c.ts (deleted)',
    )
    expect(writesFooter(writes(5), '/log')?.split('\n')).toHaveLength(6)
    expect(writesList(writes(5))).toBeUndefined()
  })

  it('counts six and more, and says where they are listed', () => {
    expect(writesFooter(writes(6), '/log')).toBe(
      '6 files written to context paths\nFull list: /log/context_path_writes.txt',
    )
    expect(writesList(writes(6))?.split('\n')).toEqual([
      ...Array.from({ length: 6 }, (_, index) => `src/f${index}.ts (new)`),
      '',
    ])
  })

  it('says nothing about nothing', () => {
    expect(writesFooter([], '/log')).toBeUndefined()
    expect(writesList([])).toBeUndefined()
  })

  it('keeps a name on its line', () => {
    const odd: Write[] = [{ path: 'a\nb.ts (new)\u2028', change: 'new' }]
    expect(writesFooter(odd, '/log')?.split(/[\n\u2028]/u)).toHaveLength(3)
    expect(writesFooter([{ path: 'a\nb', change: 'new' }], '/log')).toContain('- "a\\nb" (new)')
  })
})
