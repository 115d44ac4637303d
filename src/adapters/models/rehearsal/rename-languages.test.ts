import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { READ_ONLY, drive, inCopy, snapshot } from '../../../../test/fixtures/projects/drive.ts'

const project = (language: string): string =>
  join(import.meta.dirname, '../../../../test/fixtures/projects', language)
const WITHOUT_SHELL = [...READ_ONLY, 'update_file', 'create_file', 'delete_file']

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
const run = (folder: string, command: string): string => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout : `exit ${status}: ${stderr}`
}

interface Case {
  language: string
  prompt: string
  /** Exact replacements that turn the fixture into what must come out, per file. */
  expect: Record<string, [string, string][]>
  needs: string
  /** Prints a line with "ok" in it. */
  check: string
}

const cases: Case[] = [
  {
    language: 'javascript',
    prompt: 'rename fetchUser to loadUser',
    expect: {
      'NOTES.md': [['`fetchUser` lives', '`loadUser` lives']],
      'check.js': [
        ['  fetchUser\n}', '  loadUser\n}'],
        ["{ 'fetchUser': fetchUser,", "{ 'loadUser': loadUser,"],
        ["table['fetchUser'](1)", "table['loadUser'](1)"],
        ["'fetchUser is broken'", "'loadUser is broken'"],
        ['`${fetchUser(2).id}`', '`${loadUser(2).id}`'],
        ['`fetchUser(2) gave ${fetchUser(2).id}`', '`loadUser(2) gave ${loadUser(2).id}`'],
        ['fetchUser(4)\nfetchUser(4)', 'loadUser(4)\nloadUser(4)'],
      ],
      'fetchUser.js': [
        ['// fetchUser is', '// loadUser is'],
        ['function fetchUser', 'function loadUser'],
        ['=> fetchUser(id)', '=> loadUser(id)'],
        ['ids.map(fetchUser)', 'ids.map(loadUser)'],
      ],
    },
    needs: 'node',
    check: 'node check.js',
  },
  {
    language: 'typescript',
    prompt: 'Rename the class JobQueue to TaskQueue in src/',
    expect: {
      'src/main.ts': [
        [' JobQueue,', ' TaskQueue,'],
        ['= JobQueue.of', '= TaskQueue.of'],
        ['JobQueue is broken', 'TaskQueue is broken'],
      ],
      'src/queue.ts': [
        ['A JobQueue hands', 'A TaskQueue hands'],
        ['{@link JobQueue.take}', '{@link TaskQueue.take}'],
        ['class JobQueue<T>', 'class TaskQueue<T>'],
        ['): JobQueue<T>', '): TaskQueue<T>'],
        ['new JobQueue<T>', 'new TaskQueue<T>'],
        ['= JobQueue<unknown>', '= TaskQueue<unknown>'],
      ],
    },
    needs: process.execPath,
    check: `'${process.execPath}' src/main.ts`,
  },
  {
    language: 'python',
    prompt: 'rename the method `total` to `sum_up`',
    expect: {
      'shop/cart.py': [
        ['def total(self)', 'def sum_up(self)'],
        ['Call total()', 'Call sum_up()'],
        ['self.total() * 0.19', 'self.sum_up() * 0.19'],
        ['subtotal = self.total()', 'subtotal = self.sum_up()'],
        ['{self.total()} of', '{self.sum_up()} of'],
      ],
      'tests/test_cart.py': [
        ['cart.total()', 'cart.sum_up()'],
        ['"total")()', '"sum_up")()'],
      ],
    },
    needs: 'python3',
    check: 'python3 -B -m unittest discover -s tests -t . && echo ok',
  },
  {
    language: 'go',
    prompt: 'Please rename ParseOrder() to ReadOrder() everywhere.',
    expect: {
      'main.go': [
        ['shop.ParseOrder("42")', 'shop.ReadOrder("42")'],
        ['ParseOrder is broken', 'ReadOrder is broken'],
        ['`ParseOrder said so`', '`ReadOrder said so`'],
      ],
      'shop/parse.go': [
        ['// ParseOrder reads an order. ParseOrder never', '// ReadOrder reads an order. ReadOrder never'],
        ['func ParseOrder(', 'func ReadOrder('],
        ['= ParseOrder(text)', '= ReadOrder(text)'],
      ],
    },
    needs: 'go',
    check: 'go run .',
  },
  {
    language: 'rust',
    prompt: 'change the name of parse_line into split_line',
    expect: {
      'src/main.rs': [
        ['{parse_line, parse_line_strict}', '{split_line, parse_line_strict}'],
        ['= parse_line("a', '= split_line("a'],
        ['"parse_line failed"', '"split_line failed"'],
        ['parser::parse_line(', 'parser::split_line('],
      ],
      'src/parser.rs': [
        ['[`parse_line`]', '[`split_line`]'],
        ["fn parse_line<'a>", "fn split_line<'a>"],
        ['{ parse_line(line) }', '{ split_line(line) }'],
      ],
    },
    needs: 'rustc',
    check: 'rustc -o main src/main.rs 2>/dev/null && ./main',
  },
  {
    language: 'java',
    prompt: 'rename class OrderList to OrderBook',
    expect: {
      'src/shop/Main.java': [
        ['final OrderList list', 'final OrderBook list'],
        ['OrderListView(OrderList list)', 'OrderListView(OrderBook list)'],
        ['new OrderList()', 'new OrderBook()'],
        ['OrderList is broken', 'OrderBook is broken'],
      ],
      'src/shop/OrderList.java → src/shop/OrderBook.java': [
        ['An OrderList keeps', 'An OrderBook keeps'],
        ['{@link OrderList#add}', '{@link OrderBook#add}'],
        ['class OrderList {', 'class OrderBook {'],
        ['public OrderList add', 'public OrderBook add'],
      ],
    },
    needs: 'javac',
    check: 'javac -d out src/shop/*.java && java -cp out shop.Main',
  },
  {
    language: 'c',
    prompt: 'rename buffer_size to buffer_length',
    expect: {
      'src/buffer.c': [['buffer_size(const', 'buffer_length(const']],
      'src/buffer.h': [
        ['/* buffer_size:', '/* buffer_length:'],
        ['size_t buffer_size(', 'size_t buffer_length('],
      ],
      'src/main.c': [
        ['&buffer_size;', '&buffer_length;'],
        ['|| buffer_size("")', '|| buffer_length("")'],
        ['"buffer_size is', '"buffer_length is'],
      ],
    },
    needs: 'cc',
    check: 'cc -o out src/*.c && ./out',
  },
  {
    language: 'cpp',
    prompt: 'rename struct Shape to Figure',
    expect: {
      'main.cpp': [
        [': geo::Shape {', ': geo::Figure {'],
        ['const geo::Shape &', 'const geo::Figure &'],
        ['const geo::Shape *', 'const geo::Figure *'],
        ['puts("Shape")', 'puts("Figure")'],
      ],
      'shape.hpp': [
        ['struct Shape {', 'struct Figure {'],
        ['~Shape()', '~Figure()'],
      ],
    },
    needs: 'c++',
    check: 'c++ -o out main.cpp && ./out',
  },
  {
    language: 'ruby',
    prompt: 'rename the method `settled?` to `paid?`',
    expect: {
      'lib/order.rb': [
        ['it is settled? and', 'it is paid? and'],
        ['def settled?', 'def paid?'],
        ['!settled?\n', '!paid?\n'],
        [
          '    settled? ? "settled" : "open, settled?: #{settled?}"',
          '    paid? ? "settled" : "open, paid?: #{paid?}"',
        ],
      ],
      'main.rb': [
        ['"settled? is broken" if order.settled? ||', '"paid? is broken" if order.paid? ||'],
        ['order.settled!.settled?', 'order.settled!.paid?'],
        [':settled?', ':paid?'],
      ],
    },
    needs: 'ruby',
    check: 'ruby main.rb',
  },
  {
    language: 'php',
    prompt: 'rename $total to $sum',
    expect: {
      'src/Cart.php': [
        ['// $total is', '// $sum is'],
        ['$total = 0', '$sum = 0'],
        ['$total += ', '$sum += '],
        ['return $total;', 'return $sum;'],
        ['$total = $this', '$sum = $this'],
        ['"total: $total {$total} cents"', '"total: $sum {$sum} cents"'],
      ],
    },
    needs: 'php',
    check: 'php -l src/Cart.php && echo ok',
  },
  {
    language: 'csharp',
    prompt: 'rename OrderBook to Ledger',
    expect: {
      'OrderBook.cs': [
        ['class OrderBook\n', 'class Ledger\n'],
        ['public OrderBook()', 'public Ledger()'],
      ],
      'Program.cs': [
        ['cref="OrderBook"', 'cref="Ledger"'],
        ['new OrderBook()', 'new Ledger()'],
        ['OrderBook? other', 'Ledger? other'],
        ['nameof(OrderBook)', 'nameof(Ledger)'],
      ],
    },
    needs: 'csc',
    check: 'csc -nologo -out:out.exe *.cs && echo ok',
  },
  {
    language: 'shell',
    prompt: 'rename $build_dir to $target_dir',
    expect: {
      'build.sh': [
        ['# build_dir is', '# target_dir is'],
        ['\nbuild_dir=', '\ntarget_dir='],
        ['"$build_dir.old"', '"$target_dir.old"'],
        ['$build_dir and ${build_dir}', '$target_dir and ${target_dir}'],
        ['"$build_dir" "$build_dir_old"', '"$target_dir" "$build_dir_old"'],
        ['-p "$build_dir"', '-p "$target_dir"'],
        ['${#build_dir}', '${#target_dir}'],
        ["'ok build_dir'", "'ok target_dir'"],
      ],
    },
    needs: 'bash',
    check: 'bash build.sh',
  },
  {
    language: 'css',
    prompt: 'rename the css class .card to .panel',
    expect: {
      'index.html': [['class="card"', 'class="panel"']],
      'style.css': [
        ['\n.card {', '\n.panel {'],
        ['\n.card .big-card', '\n.panel .big-card'],
        ['\n.card:hover', '\n.panel:hover'],
      ],
    },
    needs: 'sh',
    check: 'echo ok',
  },
]

describe('in each language', () => {
  test.each(cases)('$language: $prompt', async ({ language, prompt, expect: changes, needs, check }) => {
    await inCopy(project(language), async (folder) => {
      const expected = await snapshot(folder)
      for (const [files, edits] of Object.entries(changes)) {
        const [from = '', to = from] = files.split(' → ')
        let text = expected[from] ?? ''
        for (const [old_text, new_text] of edits) {
          expect(text).toContain(old_text)
          text = text.replace(old_text, () => new_text)
        }
        delete expected[from]
        expected[to] = text
      }
      const { answer } = await drive(folder, prompt, language === 'java' ? {} : { tools: WITHOUT_SHELL })
      expect(await snapshot(folder)).toEqual(expected)
      expect(answer).toMatch(/^Renamed /)
      expect(answer.trimEnd().split('\n').at(-1)).toContain('not by a language model')
      if (has(needs)) expect(run(folder, check)).toContain('ok')
    })
  })
})
