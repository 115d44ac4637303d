import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { drive, inCopy, snapshot } from '../../../../test/fixtures/projects/drive.ts'

const demo = join(import.meta.dirname, '../../../../samples/demo')
const project = (language: string): string =>
  join(import.meta.dirname, '../../../../test/fixtures/projects', language)

describe('usages', () => {
  test('definition, users and mentions, by file and line', async () => {
    await inCopy(demo, async (folder) => {
      const { answer, replies } = await drive(folder, 'where is calcTotal used?')
      expect(answer).toContain('`calcTotal` is found 18 times in 9 files.')
      expect(answer).toContain(
        'Defined in src/total.js:2 (`export function calcTotal(lines) {`). Its comment says: "Adds up the lines of an order, in cents."',
      )
      expect(answer).toContain('- src/cart.js: lines 2 (import), 16 (comment), 18\n')
      expect(answer).toContain('- docs/pricing.md: lines 5 (text), 9 (text)\n')
      expect(replies).toBe(3)
    })
  })

  test.each([
    ['go', 'ParseOrder', 'shop/parse.go:7'],
    ['rust', 'parse_line', 'src/parser.rs:2'],
    ['java', 'OrderList', 'src/shop/OrderList.java:7'],
    ['c', 'buffer_size', 'src/buffer.c:4'],
    ['python', 'total_tax', 'shop/cart.py:12'],
    ['ruby', 'unsettled?', 'lib/order.rb:13'],
    ['php', 'describe', 'src/Cart.php:16'],
    ['csharp', 'OrderBook', 'OrderBook.cs:3'],
    ['shell', 'clean', 'build.sh:7'],
    ['css', 'card', 'style.css:2'],
  ])('%s: where %s is defined', async (language, name, place) => {
    const { answer } = await drive(project(language), `where is \`${name}\` defined?`)
    expect(answer).toMatch(/\nDefined in /)
    expect(answer).toContain(place)
  })

  test('nothing found is said', async () => {
    const { answer } = await drive(demo, 'find usages of calcSum in src')
    expect(answer).toContain('I found no use of `calcSum` only in src.')
  })
})

describe('one file', () => {
  test('create, refuse to create again, add, replace, delete', async () => {
    await inCopy(undefined, async (folder) => {
      const at = (path: string): Promise<string> => readFile(join(folder, path), 'utf8')
      await drive(folder, 'create notes/todo.md with the content:\n```\n# To do\n\n- milk\n```')
      expect(await at('notes/todo.md')).toBe('# To do\n\n- milk\n')

      const again = await drive(folder, 'create notes/todo.md containing nothing')
      expect(again.answer).toMatch(/Nothing was changed: .*exists/)
      expect(await at('notes/todo.md')).toBe('# To do\n\n- milk\n')

      await drive(folder, 'append "- milk" to notes/todo.md')
      await drive(folder, 'append "- milk" to notes/todo.md')
      await drive(folder, 'prepend "<!-- mine -->" to notes/todo.md')
      expect(await at('notes/todo.md')).toBe('<!-- mine -->\n# To do\n\n- milk\n- milk\n- milk\n')

      await drive(folder, 'in notes/todo.md replace milk with bread')
      expect(await at('notes/todo.md')).toBe('<!-- mine -->\n# To do\n\n- bread\n- bread\n- bread\n')

      const absent = await drive(folder, 'in notes/todo.md replace wine with beer')
      expect(absent.answer).toContain('does not contain `wine`')

      const deleted = await drive(folder, 'delete notes/todo.md')
      expect(deleted.answer).toMatch(/^Deleted notes\/todo\.md\./)
      expect(await snapshot(folder)).toEqual({})
    })
  })

  test('adding to a file that is not there creates it; a missing one cannot be edited or deleted', async () => {
    await inCopy(undefined, async (folder) => {
      await drive(folder, 'add the line "a" to log.txt')
      expect(await snapshot(folder)).toEqual({ 'log.txt': 'a\n' })
      expect((await drive(folder, 'in gone.md replace a with b')).answer).toMatch(/^Nothing was changed/)
      expect((await drive(folder, 'delete gone.md')).answer).toMatch(/^Nothing was changed/)
    })
  })

  test('line ends and a missing last newline are kept', async () => {
    await inCopy(undefined, async (folder) => {
      await writeFile(join(folder, 'a.txt'), 'one\r\ntwo\r\n')
      await writeFile(join(folder, 'b.txt'), 'one')
      await drive(folder, 'append three to a.txt')
      await drive(folder, 'append two to b.txt')
      expect(await snapshot(folder)).toEqual({ 'a.txt': 'one\r\ntwo\r\nthree\r\n', 'b.txt': 'one\ntwo' })
    })
  })

  test('a refused deletion is reported', async () => {
    await inCopy(demo, async (folder) => {
      const { answer, calls } = await drive(folder, 'delete README.md', {
        refuse: () => 'Not run: the person refused it.',
      })
      expect(calls).toHaveLength(1)
      expect(answer).toContain('Nothing was changed: Not run: the person refused it.')
    })
  })
})

describe('summaries', () => {
  test('a project, from its manifest, names and code', async () => {
    const { answer } = await drive(demo, 'what does this project do?')
    expect(answer).toContain('package.json says: "A small shop: carts, orders, tax and receipts."')
    expect(answer).toContain('This project has 13 files')
    expect(answer).toContain('10 JavaScript')
    expect(answer).toContain('- src/total.js defines `calcTotal`, `calcTotals`')
    expect(answer).toContain('Tests: `npm test`.')
  })

  test('a folder and a file of it', async () => {
    expect((await drive(demo, 'summarise src')).answer).toMatch(/^src has 8 files .*8 JavaScript\./)
    expect((await drive(demo, 'explain src/cart.js')).answer).toMatch(
      /^src\/cart\.js: 20 lines of JavaScript\.\nDefines `Cart`\./,
    )
  })

  test('an empty folder and a missing one', async () => {
    await inCopy(undefined, async (folder) => {
      expect((await drive(folder, 'summarise this folder')).answer).toContain('holds no files')
      expect((await drive(folder, 'summarise nowhere')).answer).toContain('I could not read nowhere')
    })
  })
})
