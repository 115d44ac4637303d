import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'
import { parseBlocks } from './parse-blocks.ts'
import { type Inline, parseInline } from './parse-inline.ts'
import { safeLink } from './safe-link.ts'

test('blocks: what models write is read as what they mean', () => {
  const text = [
    '# Title',
    'one',
    'two',
    '',
    '- a',
    '  - b',
    '- c',
    '',
    '3. third',
    '> said',
    '```ts',
    'const x = 1',
    '# no heading',
    '```',
    '| a | b |',
    '|---|---|',
    '| 1 | 2 |',
    '',
    '---',
  ].join('\n')
  expect(parseBlocks(text)).toEqual([
    { kind: 'heading', level: 1, text: 'Title' },
    { kind: 'paragraph', text: 'one\ntwo' },
    {
      kind: 'list',
      ordered: false,
      start: 1,
      items: [
        [
          { kind: 'paragraph', text: 'a' },
          { kind: 'list', ordered: false, start: 1, items: [[{ kind: 'paragraph', text: 'b' }]] },
        ],
        [{ kind: 'paragraph', text: 'c' }],
      ],
    },
    { kind: 'list', ordered: true, start: 3, items: [[{ kind: 'paragraph', text: 'third' }]] },
    { kind: 'quote', blocks: [{ kind: 'paragraph', text: 'said' }] },
    { kind: 'code', language: 'ts', text: 'const x = 1\n# no heading' },
    { kind: 'table', head: ['a', 'b'], rows: [['1', '2']] },
    { kind: 'rule' },
  ])
})

test('a block of code that is still being written is one already', () => {
  expect(parseBlocks('```js\nlet a')).toEqual([{ kind: 'code', language: 'js', text: 'let a' }])
})

test('inline: emphasis, code, links, and names with underscores in them', () => {
  expect(parseInline('**bold** *it* `a*b` ~~no~~ snake_case_name 2 * 3')).toEqual([
    { kind: 'strong', children: [{ kind: 'text', text: 'bold' }] },
    { kind: 'text', text: ' ' },
    { kind: 'emphasis', children: [{ kind: 'text', text: 'it' }] },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'a*b' },
    { kind: 'text', text: ' ' },
    { kind: 'deleted', children: [{ kind: 'text', text: 'no' }] },
    { kind: 'text', text: ' snake_case_name 2 * 3' },
  ])
  expect(parseInline('[docs](https://a.example/x(y)) and https://b.example.')).toEqual([
    { kind: 'link', url: 'https://a.example/x(y)', children: [{ kind: 'text', text: 'docs' }] },
    { kind: 'text', text: ' and ' },
    { kind: 'link', url: 'https://b.example', children: [{ kind: 'text', text: 'https://b.example' }] },
    { kind: 'text', text: '.' },
  ])
})

test('security 23: HTML stays text, and an image is never an element', () => {
  const flat = JSON.stringify(parseInline('<script>x</script> <img src=x onerror=y> <svg onload=z>'))
  expect(parseInline('<script>x</script>')).toEqual([{ kind: 'text', text: '<script>x</script>' }])
  expect(flat).not.toContain('"kind":"image"')
  const [image] = parseInline('![a](https://evil.example/x.png)')
  expect(image).toEqual({ kind: 'image', url: 'https://evil.example/x.png', text: 'a' } satisfies Inline)
})

test('security 23: only web addresses are links, and none with a name and password', () => {
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    '/relative',
    '//evil.example',
    'https://bank.example@evil.example/',
  ]) {
    expect(safeLink(url), url).toBeUndefined()
  }
  expect(safeLink('https://a.example:81/b?c')).toEqual({
    href: 'https://a.example:81/b?c',
    host: 'a.example:81',
  })
})

test('hostile texts cost no more than their length', () => {
  const size = 200_000
  const hostile = ['*', '_', '`', '[', '![', '](', '<https://', '> ', '- ', '**a', '[a](', '|-', '~~'].map(
    (part) => part.repeat(size / part.length),
  )
  for (const text of hostile) {
    const blocks = parseBlocks(text)
    parseInline(text)
    highlight(text.slice(0, 60_000), 'ts')
    expect(blocks.length).toBeGreaterThan(0)
  }
}, 20_000)

test('code is coloured and nothing of it gets lost', () => {
  const code = 'const a = "x" // why\n/* b */ 12 # no'
  const tokens = highlight(code, 'ts')
  expect(tokens.map(({ text }) => text).join('')).toBe(code)
  expect(tokens.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => [kind, text])).toEqual([
    ['keyword', 'const'],
    ['string', '"x"'],
    ['comment', '// why'],
    ['comment', '/* b */'],
    ['number', '12'],
  ])
  expect(highlight('# c', 'python')).toEqual([{ kind: 'comment', text: '# c' }])
})
