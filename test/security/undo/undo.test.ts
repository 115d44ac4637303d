import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedReply } from '../../../src/adapters/models/scripted.ts'
import { testWith } from '../../support/needs.ts'
import { Program } from '../../support/program.ts'
import { temporaryFolder } from '../../support/workbench.ts'

type Call = [name: string, input: Record<string, unknown>]

const calls = (...made: Call[]): ScriptedReply => ({ calls: made.map(([name, input]) => ({ name, input })) })

/** A project with a chat in which these turns were made, one list of calls each. */
async function chatOf(files: Record<string, string>, ...turns: Call[][]) {
  const program = new Program(files)
  const script: ScriptedReply[] = []
  for (const [index, turn] of turns.entries()) {
    // A turn that changed something is asked once more whether it is done.
    script.push(...turn.map((call) => calls(call)), { text: 'Done.' }, { text: 'Done.' })
    const more = index === 0 ? [] : ['-c']
    const { code, stderr } = await program.run([
      ...['-p', `turn ${index}`, '--permission-mode', 'auto', program.replies(...script)],
      ...more,
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  const { stdout } = await program.run(['sessions', 'list'])
  const chat = stdout.split(' ')[0] ?? ''
  const path = (name: string) => join(program.folder, name)
  return {
    program,
    chat,
    path,
    read: (name: string) => readFileSync(path(name), 'utf8'),
    undo: (...args: string[]) => program.run(['sessions', 'undo', chat, ...args]),
  }
}

const edit = (path: string, old_text: string, new_text: string): Call => [
  'update_file',
  { path, edits: [{ old_text, new_text }] },
]
const sh = (command: string): Call => ['shell', { command }]

test('undo takes back what the file tools of the last turn did', async () => {
  const { path, read, undo } = await chatOf(
    { 'a.txt': 'one\r\n', 'b.sh': 'echo', 'keep.txt': 'k' },
    [edit('a.txt', 'one', 'two')],
    [
      edit('a.txt', 'two', 'three'),
      ['create_file', { path: 'new/c.txt', content: 'c' }],
      ['delete_file', { path: 'b.sh' }],
    ],
  )
  const { code, stdout, stderr } = await undo()
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n').toSorted()).toEqual(['', 'deleted new/c.txt', 'restored a.txt', 'restored b.sh'])
  expect(read('a.txt')).toBe('two\r\n')
  expect(read('b.sh')).toBe('echo')
  expect(existsSync(path('new/c.txt'))).toBe(false)
  expect((await undo()).stdout).toContain('a.txt is already as it was')
})

testWith(
  'git',
  'undo takes back what commands did, in a repository whose dirty index stays byte for byte',
  async () => {
    const program = new Program({
      'a.txt': 'one\n',
      'b.txt': 'bb\n',
      'run.sh': 'echo\n',
      '.gitignore': 'out/\n',
    })
    const git = (...args: string[]) => spawnSync('git', args, { cwd: program.folder })
    git('init', '-q')
    git('add', 'a.txt', '.gitignore')
    git('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-qm', 'x')
    writeFileSync(join(program.folder, 'a.txt'), 'one\nstaged\n')
    git('add', 'a.txt')
    writeFileSync(join(program.folder, 'a.txt'), 'one\nstaged\nnot staged\n')
    chmodSync(join(program.folder, 'run.sh'), 0o750)
    const state = () => ({
      index: readFileSync(join(program.folder, '.git/index')).toString('hex'),
      head: git('rev-parse', 'HEAD').stdout.toString(),
      objects: readdirSync(join(program.folder, '.git/objects')),
      refs: readdirSync(join(program.folder, '.git/refs/heads')),
    })
    const before = state()
    const command =
      'echo more >> a.txt; rm b.txt; mkdir -p d out; echo n > d/new.txt; echo o > out/x; chmod -x run.sh; printf "\\0\\377" > run.sh'
    const reply = program.replies(calls(sh(command)), calls(edit('a.txt', 'more', 'most')), { text: 'Done.' })
    const { stdout } = await program.run([
      '-p',
      'go',
      '--permission-mode',
      'auto',
      '--output-format',
      'json',
      reply,
    ])
    expect(JSON.parse(stdout).files_written).toEqual([
      { path: 'a.txt', change: 'modified' },
      { path: 'b.txt', change: 'deleted' },
      { path: 'd/new.txt', change: 'new' },
      { path: 'run.sh', change: 'modified' },
    ])
    expect(state()).toEqual(before)
    const chat = JSON.parse(stdout).chat_id
    const undone = await program.run(['sessions', 'undo', chat])
    expect(undone).toMatchObject({ code: 0, stderr: '' })
    const read = (name: string) => readFileSync(join(program.folder, name), 'utf8')
    expect([read('a.txt'), read('b.txt'), read('run.sh')]).toEqual([
      'one\nstaged\nnot staged\n',
      'bb\n',
      'echo\n',
    ])
    expect(existsSync(join(program.folder, 'd/new.txt'))).toBe(false)
    expect(read('out/x')).toBe('o\n')
    expect(statSync(join(program.folder, 'run.sh')).mode & 0o777).toBe(0o750)
    expect(state()).toEqual(before)
  },
)

test('undo leaves alone what was changed since, unless forced, and keeps what it overwrites', async () => {
  const { program, read, undo, path } = await chatOf({ 'a.txt': 'one', 'b.txt': 'one' }, [
    edit('a.txt', 'one', 'two'),
    edit('b.txt', 'one', 'two'),
    ['create_file', { path: 'c.txt', content: 'c' }],
  ])
  writeFileSync(path('a.txt'), 'mine')
  writeFileSync(path('c.txt'), 'mine too')
  const { code, stdout, stderr } = await undo()
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'restored b.txt\n' })
  expect(stderr).toContain('  a.txt: changed since then; --force takes it back all the same')
  expect(stderr).toContain('  c.txt: changed since then')
  expect([read('a.txt'), read('b.txt'), read('c.txt')]).toEqual(['mine', 'one', 'mine too'])

  const forced = await undo('--force')
  expect(forced.code).toBe(0)
  expect(read('a.txt')).toBe('one')
  expect(existsSync(path('c.txt'))).toBe(false)
  const kept =
    /restored a\.txt \(what was there is kept: (undo\/[0-9a-f]{64})\)/.exec(forced.stdout)?.[1] ?? ''
  expect(readFileSync(join(program.home, '.local/share/conclave', kept), 'utf8')).toBe('mine')
})

test('undo of one turn, and of one step', async () => {
  const { program, chat, read, undo } = await chatOf(
    { 'a.txt': '1', 'b.txt': '1' },
    [edit('a.txt', '1', '2'), edit('b.txt', '1', '2')],
    [['create_file', { path: 'c.txt', content: 'c' }]],
  )
  const log = (await program.run(['sessions', 'export', chat, '--format', 'json'])).stdout
  const events = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [turn] = events.filter(({ event }) => event.type === 'turn.closed').map(({ event }) => event.turn_id)
  const [, second] = events
    .filter(({ event }) => event.type === 'tool.called')
    .map(({ event }) => event.call.id)
  expect(await undo('--step', second)).toMatchObject({ code: 0, stdout: 'restored b.txt\n' })
  expect([read('a.txt'), read('b.txt')]).toEqual(['2', '1'])
  expect(await undo('--turn', turn)).toMatchObject({ code: 0 })
  expect([read('a.txt'), read('b.txt'), read('c.txt')]).toEqual(['1', '1', 'c'])
  expect(await undo('--turn', 'nonsense')).toMatchObject({ code: 42 })
  expect(await undo('--step', 'nonsense')).toMatchObject({ code: 42 })
})

test('undo takes back what sub-agents did', async () => {
  const subtasks = [{ id: 'x', task: 'edit it' }]
  const program = new Program({ 'a.txt': 'one' })
  const replies = [
    calls(['delegate', { subtasks }]),
    calls(edit('a.txt', 'one', 'two')),
    { text: 'Edited.' },
    { text: 'Done.' },
  ]
  const args = [
    '-p',
    'go',
    '--permission-mode',
    'auto',
    '--output-format',
    'json',
    program.replies(...replies),
  ]
  const { chat_id, files_written } = JSON.parse((await program.run(args)).stdout)
  expect(files_written).toEqual([{ path: 'a.txt', change: 'modified' }])
  expect(await program.run(['sessions', 'undo', chat_id])).toMatchObject({
    code: 0,
    stdout: 'restored a.txt\n',
  })
  expect(readFileSync(join(program.folder, 'a.txt'), 'utf8')).toBe('one')
})

test('undo says so when there is nothing, when the old bytes are gone or damaged, and never follows a link', async () => {
  const { program, path, undo, read } = await chatOf({ 'a.txt': 'one', 'd/b.txt': 'one' }, [
    edit('a.txt', 'one', 'two'),
    edit('d/b.txt', 'one', 'three'),
  ])
  const outside = temporaryFolder()
  writeFileSync(join(outside, 'b.txt'), 'three')
  rmSync(path('d'), { recursive: true })
  spawnSync('ln', ['-s', outside, path('d')])
  const store = join(program.home, '.local/share/conclave/undo')
  const linked = await undo()
  expect(linked).toMatchObject({ code: 1, stdout: 'restored a.txt\n' })
  expect(linked.stderr).toContain('symbolic link')
  expect(readFileSync(join(outside, 'b.txt'), 'utf8')).toBe('three')

  writeFileSync(path('a.txt'), 'two')
  for (const name of readdirSync(store).filter((name) => name.length === 64))
    writeFileSync(join(store, name), 'damaged')
  const damaged = await undo()
  expect(damaged.stderr).toContain('a.txt: its old bytes are no longer kept')
  expect(read('a.txt')).toBe('two')

  const { undo: nothing } = await chatOf({ 'a.txt': 'one' }, [['read_file', { path: 'a.txt' }]])
  expect(await nothing()).toMatchObject({ code: 42, stderr: 'conclave: this chat changed no files\n' })
})
