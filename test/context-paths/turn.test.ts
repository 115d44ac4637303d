import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFiles } from '../../src/adapters/files/gateway.ts'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { openShell } from '../../src/adapters/shell/open-shell.ts'
import { toArray } from '../../src/core/list.ts'
import {
  byTask,
  calls,
  journalHolding,
  recordingJournal,
  recordingModel,
} from '../../src/engine/engine.test-support.ts'
import { openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import type { Model } from '../../src/ports/model.ts'
import type { ContextPath, Reach } from '../../src/schema/reach.ts'
import { testWith } from '../support/needs.ts'
import { Workbench, temporaryFolder, writeFiles } from '../support/workbench.ts'

const call = (name: string, input: Record<string, unknown>): ScriptedReply => ({ calls: [{ name, input }] })

const context = (
  path: string,
  permission: 'read' | 'write' = 'read',
  ...protected_paths: string[]
): ContextPath => ({ path, permission, protected_paths })

/** The chat's folder, `docs` to read, and `out` to write but for `out/vendor`. */
function scene() {
  const base = temporaryFolder()
  writeFiles(base, {
    'project/a.txt': 'mine\n',
    'docs/a.md': 'a needle\n',
    'out/old.txt': 'old\n',
    'out/vendor/v.txt': 'vendor\n',
    'beside/secret.txt': 'canary\n',
  })
  const folder = join(base, 'project')
  const [docs, out] = [join(base, 'docs'), join(base, 'out')]
  const reach: Reach = {
    root: folder,
    root_access: 'write',
    context: [context(docs), context(out, 'write', join(out, 'vendor'))],
  }
  const read = (name: string): string => readFileSync(join(base, name), 'utf8')
  return { base, folder, docs, out, reach, read }
}

/** Runs one call after the other and returns what each came to. */
async function perform(
  { folder, reach }: { folder: string; reach: Reach },
  steps: ScriptedReply[],
  more: { mode?: 'Plan'; shell?: ReturnType<typeof openShell> } = {},
) {
  const bench = new Workbench({
    folder,
    replies: [...steps, { text: 'done' }],
    shell: more.shell ?? openShell({ sandbox: 'auto', network: false }),
  })
  const { observations, outcome } = await bench.run('go', {
    reach,
    max_iterations: 40,
    ...(more.mode && { mode: more.mode }),
  })
  expect(outcome).toBe('complete')
  return toArray(observations).map(({ tool, success, output, files }) => ({ tool, success, output, files }))
}

describe('the tools of a turn and its context paths', () => {
  testWith('bwrap', 'a read path is read by every tool and written by none', async () => {
    const place = scene()
    const { docs, read } = place
    const file = join(docs, 'a.md')
    const results = await perform(place, [
      call('read_file', { path: file }),
      call('list_directory', { path: docs }),
      call('search_code', { pattern: 'needle', path: docs }),
      call('shell', { command: `cat ${file}` }),
      call('create_file', { path: join(docs, 'new.md'), content: 'x' }),
      call('update_file', { path: file, edits: [{ old_text: 'needle', new_text: 'x' }] }),
      call('delete_file', { path: file }),
      call('shell', { command: `echo x > ${file}` }),
    ])
    expect(results.map(({ success }) => success)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
    expect(results[2]?.output).toBe(`${file}:1:a needle`)
    for (const { output } of results.slice(4, 7)) expect(output).toMatch(/granted for reading only/)
    expect(results[7]?.output).toMatch(/Read-only file system/)
    expect(read('docs/a.md')).toBe('a needle\n')
  })

  testWith('bwrap', 'a write path is written by every tool, what it protects by none', async () => {
    const place = scene()
    const { out, read } = place
    const vendor = join(out, 'vendor/v.txt')
    const results = await perform(place, [
      call('create_file', { path: join(out, 'new/made.txt'), content: 'made\n' }),
      call('update_file', { path: join(out, 'old.txt'), edits: [{ old_text: 'old', new_text: 'new' }] }),
      call('shell', { command: `echo shell > ${out}/shell.txt` }),
      call('delete_file', { path: join(out, 'shell.txt') }),
      call('read_file', { path: vendor }),
      call('create_file', { path: join(out, 'vendor/new.txt'), content: 'x' }),
      call('update_file', { path: vendor, edits: [{ old_text: 'vendor', new_text: 'x' }] }),
      call('delete_file', { path: vendor }),
      call('shell', { command: `echo x > ${vendor}` }),
    ])
    expect(results.map(({ success }) => success)).toEqual([
      ...[true, true, true, true, true],
      ...[false, false, false, false],
    ])
    expect(results[0]?.files).toEqual([{ path: join(out, 'new/made.txt'), change: 'new' }])
    for (const { output } of results.slice(5, 8)) expect(output).toMatch(/the config protects it/)
    expect([read('out/new/made.txt'), read('out/old.txt'), read('out/vendor/v.txt')]).toEqual([
      'made\n',
      'new\n',
      'vendor\n',
    ])
    expect(existsSync(join(out, 'shell.txt'))).toBe(false)
  })

  test('control: without the reach, none of these paths can be named', async () => {
    const { folder, docs, out } = scene()
    const bench = new Workbench({
      folder,
      replies: [
        call('read_file', { path: join(docs, 'a.md') }),
        call('create_file', { path: join(out, 'new.txt'), content: 'x' }),
        { text: 'done' },
      ],
    })
    const { observations } = await bench.run('go')
    for (const { success, output } of toArray(observations)) {
      expect(success).toBe(false)
      expect(output).toMatch(/outside the working folder/)
    }
    expect(existsSync(join(out, 'new.txt'))).toBe(false)
  })

  testWith('bwrap', '2 links in a context path and paths out of it lead nowhere', async () => {
    const place = scene()
    const { base, out, read } = place
    symlinkSync(join(base, 'beside/secret.txt'), join(out, 'leaf'))
    symlinkSync(join(base, 'beside'), join(out, 'parent'))
    const paths = ['leaf', 'parent/secret.txt', '../beside/secret.txt', '../out-more/x'].map(
      (name) => `${out}/${name}`,
    )
    // In one reply: a model that fails again and again would be asked what it is about.
    const attempts = paths.flatMap((path) => [
      call('read_file', { path }),
      call('update_file', { path, edits: [{ old_text: 'canary', new_text: 'x' }] }),
      call('delete_file', { path }),
      call('search_code', { pattern: 'canary', path }),
      call('shell', { command: `cat ${path}; echo x > ${path}` }),
    ])
    const results = await perform(place, [{ calls: attempts.flatMap((reply) => reply.calls ?? []) }])
    expect(results).toHaveLength(20)
    for (const { tool, success, output } of results) {
      expect({ tool, success }).toEqual({ tool, success: false })
      expect(output).not.toContain('canary')
    }
    expect(read('beside/secret.txt')).toBe('canary\n')
  })

  testWith('bwrap', '6 in Plan mode everything of the reach is only read', async () => {
    const place = scene()
    const { out, docs, read } = place
    const results = await perform(
      place,
      [
        call('read_file', { path: join(docs, 'a.md') }),
        call('shell', { command: `cat ${out}/old.txt` }),
        call('create_file', { path: join(out, 'new.txt'), content: 'x' }),
        call('shell', { command: `echo x > ${out}/old.txt` }),
      ],
      { mode: 'Plan' },
    )
    expect(results.map(({ success }) => success)).toEqual([true, true, false, false])
    expect(read('out/old.txt')).toBe('old\n')
    expect(existsSync(join(out, 'new.txt'))).toBe(false)
  })

  test('5 a context path that becomes a link during the turn is refused from then on', async () => {
    const place = scene()
    const { base, out, docs, read } = place
    const file = join(docs, 'a.md')
    const swap = (path: string) => {
      renameSync(path, `${path}-aside`)
      symlinkSync(join(base, 'beside'), path)
    }
    let asked = 0
    const steps = [
      ['read_file', { path: file }],
      ['read_file', { path: join(docs, 'secret.txt') }],
      ['create_file', { path: join(out, 'new.txt'), content: 'x' }],
      ['delete_file', { path: join(out, 'secret.txt') }],
    ] as const
    const model: Model = {
      label: 'swaps',
      async *stream() {
        if (asked === 1) for (const path of [docs, out]) swap(path)
        const step = steps[asked]
        asked += 1
        yield* step ? calls([step[0], step[1]]) : [{ type: 'text', text: 'done' } as const]
      },
    }
    const bench = new Workbench({ folder: place.folder, model })
    const { observations } = await bench.run('go', { reach: place.reach })
    const [first, ...others] = toArray(observations)
    expect(first).toMatchObject({ success: true, output: '1\ta needle' })
    expect(others).toHaveLength(3)
    for (const { output } of others) expect(output).toMatch(/symbolic link|not a folder any more/)
    expect(read('beside/secret.txt')).toBe('canary\n')
    expect(existsSync(join(base, 'beside/new.txt'))).toBe(false)
  })

  test('a writable path that is not there yet is made by the first file in it', async () => {
    const { base, folder } = scene()
    const files = openFiles({
      root: folder,
      root_access: 'write',
      context: [context(join(base, 'later'), 'write')],
    })
    const path = join(base, 'later/deep/a.txt')
    expect(await files.stat(join(base, 'later'))).toEqual({
      refused: expect.stringMatching(/does not exist/),
    })
    expect(await files.write(path, 'x', { create: true })).toEqual({ path, change: 'new' })
    expect(readFileSync(path, 'utf8')).toBe('x')
    const missing = openFiles({ root: folder, root_access: 'write', context: [context(join(base, 'gone'))] })
    expect(await missing.write(join(base, 'gone/a'), 'x', { create: true })).toEqual({
      refused: expect.stringMatching(/reading only/),
    })
  })
})

describe('a turn in a workspace of its own', () => {
  test('works there; the chat’s folder is only read; plans and instructions stay with the chat', async () => {
    const { base, folder, read } = scene()
    const workspace = join(base, 'workspace')
    mkdirSync(workspace)
    writeFiles(workspace, { 'a.txt': 'copy\n' })
    const reach: Reach = { root: workspace, root_access: 'write', context: [context(folder)] }
    const results = await perform({ folder, reach }, [
      call('read_file', { path: 'a.txt' }),
      call('update_file', { path: 'a.txt', edits: [{ old_text: 'copy', new_text: 'changed' }] }),
      call('read_file', { path: join(folder, 'a.txt') }),
      call('update_file', { path: join(folder, 'a.txt'), edits: [{ old_text: 'mine', new_text: 'x' }] }),
      call('create_file', { path: 'b.txt', content: 'b\n' }),
    ])
    expect(results.map(({ success }) => success)).toEqual([true, true, true, false, true])
    expect([read('workspace/a.txt'), read('project/a.txt'), read('workspace/b.txt')]).toEqual([
      'changed\n',
      'mine\n',
      'b\n',
    ])
    expect(existsSync(join(folder, 'b.txt'))).toBe(false)
  })

  test('what one agent has read does not count as changed in the workspace of another', async () => {
    const { base, folder } = scene()
    const roots = ['one', 'two'].map((name) => join(base, name))
    for (const [index, root] of roots.entries()) {
      mkdirSync(root)
      writeFiles(root, { 'a.txt': `text ${index}\n` })
    }
    const edit = call('update_file', { path: 'a.txt', edits: [{ old_text: 'text', new_text: 'word' }] })
    const bench = new Workbench({
      folder,
      replies: [call('read_file', { path: 'a.txt' }), { text: 'read' }, edit, { text: 'edited' }],
    })
    const at = (root = ''): { reach: Reach } => ({ reach: { root, root_access: 'write', context: [] } })
    await bench.run('read', at(roots[0]))
    const { observations } = await bench.run('edit', at(roots[1]))
    expect(toArray(observations)).toMatchObject([{ success: true }])
    expect(readFileSync(join(base, 'two/a.txt'), 'utf8')).toBe('word 1\n')
  })
})

test('the reach is stored with the turn, told to the model, and kept when the turn is gone on with', async () => {
  const { base, folder, docs, out, reach } = scene()
  const file = join(out, 'new.txt')
  const { journal, commits } = recordingJournal(openMemoryJournal())
  const replies = [
    call('read_file', { path: join(docs, 'a.md') }),
    call('create_file', { path: file, content: 'x' }),
    call('create_file', { path: join(docs, 'new.md'), content: 'x' }),
    { text: 'done' },
  ]
  const first = new Workbench({ folder, journal, replies })
  await first.run('go', { reach })
  const started = first.turnEvents().find(({ type }) => type === 'turn.started')
  expect(started).toMatchObject({ settings: { reach } })

  // A process that died right after the first call, and the next one, which is told nothing of the reach.
  const cut = commits.findIndex(({ events }) => events.some(({ type }) => type === 'observation.recorded'))
  renameSync(file, join(base, 'first.txt'))
  const { model, requests } = recordingModel(scriptedModel(replies))
  const next = new Workbench({ folder, model, journal: await journalHolding(commits.slice(0, cut + 1)) })
  await next.engine.open(first.chat)
  await next.engine.whenIdle(first.chat)
  expect(readFileSync(file, 'utf8')).toBe('x')
  expect(existsSync(join(docs, 'new.md'))).toBe(false)
  expect(requests[0]?.system).toContain(
    `Your folder is ${folder} (${process.platform}). Paths are relative to it. Besides, only these can be reached, by their absolute paths; the narrowest one decides:
- ${docs} (read only)
- ${out} (read and write, but only read: ${join(out, 'vendor')})`,
  )
})

test('sub-agents reach as far as the turn that sent them', async () => {
  const { folder, docs, reach } = scene()
  const file = join(docs, 'a.md')
  const bench = new Workbench({
    folder,
    model: byTask({
      go: [calls(['explore', { question: 'look' }])],
      look: [calls(['read_file', { path: file }])],
    }),
  })
  await bench.run('go', { reach })
  const reads = bench
    .turnEvents()
    .filter((event) => event.type === 'observation.recorded' && event.observation.tool === 'read_file')
  expect(reads).toMatchObject([{ observation: { success: true, output: '1\ta needle' } }])
})
