import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Intent, parseIntent } from './intent.ts'

const everywhere = { only: [], skip: [] }
const rename = (from: string, to: string, scope: { only?: string[]; skip?: string[] } = {}): Intent => ({
  kind: 'rename',
  from,
  to,
  scope: { ...everywhere, ...scope },
  force: false,
})

describe('renaming', () => {
  const calcTotal = rename('calcTotal', 'orderTotal')
  test.each<[string, Intent]>([
    ['Find all usages of function X and rename to Y', rename('X', 'Y')],
    ['rename calcTotal to orderTotal', calcTotal],
    ['Rename calcTotal() to orderTotal()', calcTotal],
    ['rename calcTotal() to orderTotal().', calcTotal],
    ['RENAME `calcTotal` TO `orderTotal`', calcTotal],
    ['please rename "calcTotal" to "orderTotal"', calcTotal],
    ["rename 'calcTotal' to 'orderTotal' everywhere", calcTotal],
    ['rename “calcTotal” to “orderTotal”', calcTotal],
    ['rename calcTotal into orderTotal', calcTotal],
    ['rename calcTotal as orderTotal', calcTotal],
    ['rename calcTotal -> orderTotal', calcTotal],
    ['rename calcTotal => orderTotal', calcTotal],
    ['rename: calcTotal → orderTotal', calcTotal],
    ['rename calcTotal function to orderTotal', calcTotal],
    ['rename the function calcTotal to the new name orderTotal', calcTotal],
    ['rename function named calcTotal to orderTotal', calcTotal],
    ['Could you rename every call of calcTotal to orderTotal?', calcTotal],
    ['rename all usages of calcTotal to orderTotal', calcTotal],
    ['Find every usage of calcTotal and rename it to orderTotal', calcTotal],
    ['find all references to `calcTotal`, then rename them to `orderTotal`', calcTotal],
    ['search for all uses of calcTotal and rename to orderTotal', calcTotal],
    ['change the name of calcTotal to orderTotal', calcTotal],
    ['change the name of `calcTotal` into `orderTotal`', calcTotal],
    ["let's change calcTotal to orderTotal everywhere", calcTotal],
    ['change calcTotal to orderTotal across the codebase', calcTotal],
    ['replace all occurrences of calcTotal with orderTotal', calcTotal],
    ['replace every use of calcTotal by orderTotal', calcTotal],
    ['calcTotal should be called orderTotal', calcTotal],
    ['The function calcTotal needs to be renamed to orderTotal', calcTotal],
    ['calcTotal should be renamed to orderTotal', calcTotal],
    ['`calcTotal` is now called `orderTotal`', calcTotal],
    ['Rename to `orderTotal` all usages of `calcTotal`', calcTotal],
    ['I want you to rename the method calcTotal to orderTotal', calcTotal],
    ['refactor: rename method calcTotal to orderTotal', calcTotal],
    ['hi, rename calcTotal to orderTotal please', calcTotal],
    ['rename name to title', rename('name', 'title')],
    ['rename valid? to ok?', rename('valid?', 'ok?')],
    ['can you rename foo to bar?', rename('foo', 'bar')],
    ['rename $total to $sum', rename('$total', '$sum')],
    ['rename the css class .btn-primary to .btn-main', rename('btn-primary', 'btn-main')],
    ['rename Cart.total to Cart.sum', rename('total', 'sum')],
    ['rename Cart::total to Cart::sum', rename('total', 'sum')],
    ['rename größe to länge', rename('größe', 'länge')],
    ['rename the class Foo to Bar in src/', rename('Foo', 'Bar', { only: ['src'] })],
    ['rename Foo to Bar in the src folder', rename('Foo', 'Bar', { only: ['src'] })],
    ['rename Foo in src/ to Bar', rename('Foo', 'Bar', { only: ['src'] })],
    ['rename Foo to Bar, only in src and lib', rename('Foo', 'Bar', { only: ['src', 'lib'] })],
    ['rename Foo to Bar inside ./src/utils', rename('Foo', 'Bar', { only: ['src/utils'] })],
    ['rename Foo to Bar in this project', rename('Foo', 'Bar')],
    ['rename Foo to Bar in all files', rename('Foo', 'Bar')],
    ['rename Foo to Bar except in docs', rename('Foo', 'Bar', { skip: ['docs'] })],
    ['rename Foo to Bar but not in tests', rename('Foo', 'Bar', { skip: ['<tests>'] })],
    [
      'rename Foo to Bar in src except src/vendor',
      rename('Foo', 'Bar', { only: ['src'], skip: ['src/vendor'] }),
    ],
    ['rename Foo to Bar in Python files', rename('Foo', 'Bar', { only: ['<python>'] })],
    ['rename Foo to Bar anyway', { ...rename('Foo', 'Bar'), force: true } as Intent],
  ])('%s', (prompt, intent) => expect(parseIntent(prompt)).toEqual(intent))
})

describe('one file', () => {
  const create = (path: string, content: string): Intent => ({ kind: 'create', path, content })
  test.each<[string, Intent]>([
    ['create notes/todo.md with the content buy milk', create('notes/todo.md', 'buy milk\n')],
    ['create a file hello.txt containing hello world', create('hello.txt', 'hello world\n')],
    [
      'Create a new file called hello.txt with the text "Hello, world!"',
      create('hello.txt', 'Hello, world!\n'),
    ],
    ['please make a file named a.txt that says hi', create('a.txt', 'hi\n')],
    ['create an empty file empty.txt', create('empty.txt', '')],
    ['write `hi there` to a.txt', create('a.txt', 'hi there\n')],
    ['create x.md with:\n```md\n# T\n\n  body\n```\nthanks', create('x.md', '# T\n\n  body\n')],
    [
      'Create the file notes.txt with this content:\nline one\nline two',
      create('notes.txt', 'line one\nline two\n'),
    ],
    ['create plan.md with the content: rename a to b', create('plan.md', 'rename a to b\n')],
    ['in README.md replace A with B', { kind: 'replace', path: 'README.md', old_text: 'A', new_text: 'B' }],
    [
      'replace "foo bar" with "baz" in README.md',
      { kind: 'replace', path: 'README.md', old_text: 'foo bar', new_text: 'baz' },
    ],
    [
      'in src/a.js, change `let x = 1` to `const x = 1`',
      { kind: 'replace', path: 'src/a.js', old_text: 'let x = 1', new_text: 'const x = 1' },
    ],
    ['append "the end" to notes.md', { kind: 'add', path: 'notes.md', text: 'the end', at: 'end' }],
    ['append see the docs to README.md', { kind: 'add', path: 'README.md', text: 'see the docs', at: 'end' }],
    [
      'add the line "x = 1" to the end of config.ini',
      { kind: 'add', path: 'config.ini', text: 'x = 1', at: 'end' },
    ],
    ['add the line x = 1 to config.ini', { kind: 'add', path: 'config.ini', text: 'x = 1', at: 'end' }],
    ['add to notes.md: buy milk', { kind: 'add', path: 'notes.md', text: 'buy milk', at: 'end' }],
    ['append to notes.md:\n```\na\nb\n```', { kind: 'add', path: 'notes.md', text: 'a\nb', at: 'end' }],
    ['prepend "# Title" to notes.md', { kind: 'add', path: 'notes.md', text: '# Title', at: 'start' }],
    ['delete notes.md', { kind: 'delete', path: 'notes.md' }],
    ['remove the file old.txt', { kind: 'delete', path: 'old.txt' }],
  ])('%s', (prompt, intent) => expect(parseIntent(prompt)).toEqual(intent))
})

describe('questions', () => {
  const usages = (name: string, only: string[] = []): Intent => ({
    kind: 'usages',
    name,
    scope: { only, skip: [] },
  })
  test.each<[string, Intent]>([
    ['Find usages of calcTotal', usages('calcTotal')],
    ['find and explain all usages of `calcTotal` in src', usages('calcTotal', ['src'])],
    ['where is calcTotal used?', usages('calcTotal')],
    ['Where is total defined?', usages('total')],
    ['who calls calcTotal', usages('calcTotal')],
    ['what uses calcTotal()?', usages('calcTotal')],
    ['what does calcTotal do?', usages('calcTotal')],
    ['explain how calcTotal is used', usages('calcTotal')],
    ['list all references to `calcTotal`', usages('calcTotal')],
    ['find calcTotal', usages('calcTotal')],
    ['summarise src', { kind: 'summary', path: 'src' }],
    ['summarize this project', { kind: 'summary', path: '.' }],
    ['What does this project do?', { kind: 'summary', path: '.' }],
    ['explain this folder', { kind: 'summary', path: '.' }],
    ['explain src/cart.js', { kind: 'summary', path: 'src/cart.js' }],
    ['give me an overview of the codebase', { kind: 'summary', path: '.' }],
    ['what is in src/utils?', { kind: 'summary', path: 'src/utils' }],
    ['describe the docs folder', { kind: 'summary', path: 'docs' }],
    ['hello', { kind: 'greeting' }],
    ['say hello', { kind: 'greeting' }],
    ['Hi!', { kind: 'greeting' }],
    ['continue', { kind: 'again' }],
    ['execute the plan', { kind: 'again' }],
  ])('%s', (prompt, intent) => expect(parseIntent(prompt)).toEqual(intent))
})

test.each([
  'write a poem about cats',
  'fix the bug in cart.js',
  'add dark mode',
  'add a login page to app.js',
  'create a file parser.js that parses csv',
  'delete function foo',
  'rename file a.js to b.js',
  'rename README.md to DOCS.md',
  "what's the weather like",
  'rename',
  'rename to',
  '',
])('needs a language model: %s', (prompt) => expect(parseIntent(prompt)).toEqual({ kind: 'unknown' }))

test('a plan handed over for execution is read by its goal', () => {
  const plan = JSON.stringify({ goal: 'Rename `a` to `b` only in src', steps: [] }, null, 2)
  expect(parseIntent(`Carry out this plan:\n${plan}`)).toEqual(rename('a', 'b', { only: ['src'] }))
})

test('any text is read without throwing, and in time that grows with its length', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'rename',
      'to',
      'find',
      'usages',
      'of',
      'in',
      'create',
      'with',
      'replace',
      'append',
      '`',
      '"',
      '```',
      '\n',
      'a.js',
      '()',
      'src/',
      'all',
      'the',
      'Correction from the person:',
    ),
    fc.string({ maxLength: 12 }),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      expect(parseIntent(words.join(' ')).kind).toBeTypeOf('string')
    }),
    { numRuns: 2_000 },
  )
  for (const part of [
    'rename a to ',
    'in a.js replace ',
    '`',
    '"a',
    'create a.md ',
    'what is a in ',
    '({[',
    '"goal":"\\"steps"',
  ]) {
    expect(parseIntent(part.repeat(20_000)).kind).toBeTypeOf('string')
  }
})
