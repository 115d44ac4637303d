import { expect, test } from 'vitest'
import { findIdentifier, isIdentifier, renameIdentifier } from './identifier.ts'

test.each<[string, string, string, string, string]>([
  // path, from, to, before, after
  [
    'a.js',
    'total',
    'sum',
    'total(subtotal, totals, $total, total$, total)',
    'sum(subtotal, totals, $total, total$, sum)',
  ],
  ['a.js', '$el', '$node', '$el.x = $$el + $el2 + `${$el}`', '$node.x = $$el + $el2 + `${$node}`'],
  [
    'a.js',
    'getUser',
    'loadUser',
    "import { getUser } from './getUser.js' // getUser",
    "import { loadUser } from './getUser.js' // loadUser",
  ],
  [
    'a.js',
    'getUser',
    'loadUser',
    'x["getUser"]; y = "no getUser here"',
    'x["loadUser"]; y = "no loadUser here"',
  ],
  [
    'a.js',
    'total',
    'sum',
    '// the total is total(x), `total` or cart.total',
    '// the total is sum(x), `sum` or cart.sum',
  ],
  [
    'a.js',
    'total',
    'sum',
    'x = `total: ${total} of ${cart.total}` + "total"',
    'x = `total: ${sum} of ${cart.sum}` + "sum"',
  ],
  [
    'a.js',
    'total',
    'sum',
    '/* total\n * @param {number} total the total\n */ total',
    '/* total\n * @param {number} sum the total\n */ sum',
  ],
  [
    'a.py',
    'total',
    'sum',
    '"""The total."""\ntotal = f"total {total}"',
    '"""The total."""\nsum = f"total {sum}"',
  ],
  [
    'a.py',
    'calc',
    'work',
    'from calc import calc\nimport calc\ncalc()',
    'from calc import work\nimport calc\nwork()',
  ],
  [
    'a.rs',
    'go_on',
    'carry_on',
    `let c = '"'; go_on(); let d = '"'; // go_on`,
    `let c = '"'; carry_on(); let d = '"'; // carry_on`,
  ],
  [
    'a.rb',
    'save',
    'store',
    'save; save!; save?; save != 1; save!= 2',
    'store; save!; save?; store != 1; store!= 2',
  ],
  ['a.rb', 'save!', 'store!', 'save; save!; save!(1); x.save!', 'save; store!; store!(1); x.store!'],
  [
    'a.php',
    '$total',
    '$sum',
    '$total + $totals + $this->total . "$total"',
    '$sum + $totals + $this->total . "$sum"',
  ],
  ['a.php', 'total', 'sum', '$total + total() + $this->total', '$total + sum() + $this->sum'],
  [
    'a.sh',
    '$dir',
    '$out',
    'dir=1; echo "$dir ${dir} ${#dir} $dirs"',
    'out=1; echo "$out ${out} ${#out} $dirs"',
  ],
  ['a.sh', 'dir', 'out', 'dir=1; echo "$dir ${dir}"', 'out=1; echo "$out ${out}"'],
  [
    'a.css',
    'btn',
    'button',
    '.btn, .btn-big, .big-btn, .btn:hover {}',
    '.button, .btn-big, .big-btn, .button:hover {}',
  ],
  ['a.css', '--gap', '--space', 'p { gap: var(--gap); --gap-x: 1 }', 'p { gap: var(--space); --gap-x: 1 }'],
  [
    'a.html',
    'btn',
    'button',
    '<a class="btn btn-big" href="btn.html">a btn</a>',
    '<a class="button btn-big" href="btn.html">a btn</a>',
  ],
  [
    'a.clj',
    'add-item',
    'put-item',
    '(add-item x) (add-item! y) (re-add-item)',
    '(put-item x) (add-item! y) (re-add-item)',
  ],
  ['a.md', 'btn', 'button', 'a btn, `btn`, `btn-big`, btn.css', 'a btn, `button`, `btn-big`, btn.css'],
  [
    'a.md',
    'calcTotal',
    'sumUp',
    'calcTotal-based, calcTotals, calcTotal.',
    'sumUp-based, calcTotals, sumUp.',
  ],
  ['a.java', 'café', 'bar', 'café + cafés + caféX + x.café', 'bar + cafés + caféX + x.bar'],
  ['a.go', 'Name', 'Title', '𝒳Name Name𝒳 Name', '𝒳Name Name𝒳 Title'],
  [
    'a.h',
    'list',
    'chain',
    '#include "list.h"\n#include <list.h>\nlist x;',
    '#include "list.h"\n#include <list.h>\nchain x;',
  ],
  [
    'Makefile',
    'out_dir',
    'target',
    'out_dir := x\n$(out_dir): $(out_dirs)',
    'target := x\n$(target): $(out_dirs)',
  ],
])('%s: %s becomes %s in %s', (path, from, to, before, after) => {
  expect(renameIdentifier(before, from, to, path)).toBe(after)
})

test('a place says its line, its kind, and whether it is a use', () => {
  const text = 'total()\n// the total\n"total"\n'
  expect(findIdentifier(text, 'total', 'a.js')).toEqual([
    { at: 0, length: 5, line: 1, kind: 'code', isUse: true },
    { at: 15, length: 5, line: 2, kind: 'comment', isUse: false },
    { at: 22, length: 5, line: 3, kind: 'string', isUse: true },
  ])
})

test.each(['a', '$el', 'empty?', 'btn-primary', '--gap', '@total', 'größe', '_'])(
  '%s can be a name',
  (name) => {
    expect(isIdentifier(name)).toBe(true)
  },
)

test.each(['', '1a', 'a b', 'a.b', 'a/b', '?', 'a\n', 'x'.repeat(300)])('%j cannot be a name', (name) => {
  expect(isIdentifier(name)).toBe(false)
})
