import { describe, expect, it } from 'vitest'
import { applyEdits } from './apply-edits.ts'

const edit = (text: string, old_text: string, new_text: string) => applyEdits(text, [{ old_text, new_text }])

const textOf = (result: ReturnType<typeof edit>): string => ('text' in result ? result.text : result.problem)

describe('an edit that differs from the file only in white space', () => {
  it('is made where exactly one place fits, in the indentation of the file', () => {
    const text = 'class A {\n    run() {\n        go()\n        stop()\n    }\n}\n'
    const result = edit(text, 'run() {\n    go()\n    stop()', 'run() {\n    go()\n    wait()\n    stop()')
    expect(textOf(result)).toBe(
      'class A {\n    run() {\n        go()\n        wait()\n        stop()\n    }\n}\n',
    )
    expect(result).toMatchObject({
      notes: [
        'old_text differs in white space from the file; replaced exactly this, at line 2:\n' +
          '    run() {\n        go()\n        stop()',
      ],
    })
  })

  it('turns spaces into the tabs of the file', () => {
    const result = edit('if (a) {\n\tb()\n}\n', 'if (a) {\n  b()\n}', 'if (a) {\n  c()\n  d()\n}')
    expect(textOf(result)).toBe('if (a) {\n\tc()\n\td()\n}\n')
  })

  it('moves lines of an indentation it has not seen as far as the others', () => {
    const result = edit('    a\n    b\n', 'a\nb\n', 'a\n  deeper\nb\n')
    expect(textOf(result)).toBe('    a\n      deeper\n    b\n')
  })

  it('keeps CRLF line ends, and what follows the last line', () => {
    expect(textOf(edit('x\r\n  a  =  1\r\ny\r\n', 'a = 1', 'a = 2\nb = 3'))).toBe(
      'x\r\n  a = 2\r\n  b = 3\r\ny\r\n',
    )
    expect(textOf(edit('x\r\n  a  =  1\r\ny\r\n', 'a = 1\n', 'a = 2\n'))).toBe('x\r\n  a = 2\r\ny\r\n')
    expect(textOf(edit('x\n  a  =  1', 'a = 1', 'a = 2'))).toBe('x\n  a = 2')
    expect(textOf(edit('x\n  a  =  1\ny\n', 'a = 1\n', ''))).toBe('x\ny\n')
  })

  it('is refused where two places fit, for part of a line, and for replace_all', () => {
    expect(edit('  a b\n    a b\n', 'a  b', 'c')).toEqual({ problem: expect.stringContaining('not found') })
    expect(edit('x(a  b)\n', 'a b', 'c')).toEqual({ problem: expect.stringContaining('not found') })
    const all = applyEdits('  a b\n', [{ old_text: 'a  b', new_text: 'c', replace_all: true }])
    expect(all).toEqual({ problem: expect.stringContaining('not found') })
  })

  it('is refused for white space alone, and where words differ', () => {
    expect(edit('a\n\t\nb\n', '    \n', 'c')).toEqual({ problem: expect.stringContaining('not found') })
    expect(edit('a b\n', 'ab', 'c')).toEqual({ problem: expect.stringContaining('not found') })
  })
})
