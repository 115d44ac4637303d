import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../../../test/support/workbench.ts'
import { openProject } from './project-workspace.ts'
import { readMemory } from './read-memory.ts'

const at = '2026-01-01T00:00:00.000Z'
const read = (folder: string, path: string) => readFileSync(join(folder, '.conclave', path), 'utf8')

describe('making the workspace', () => {
  test('makes what is missing, says so, and is told once that CONTEXT.md is ours', async () => {
    const folder = temporaryFolder()
    let made = 0
    const project = openProject(folder, { onCreated: () => (made += 1) })
    const { created, kept, problems } = await project.ensure()
    expect(readdirSync(join(folder, '.conclave')).sort()).toEqual([
      ...['CONTEXT.md', 'deliverables', 'filepaths.json', 'runs'],
    ])
    expect(created).toHaveLength(5)
    expect({ kept, problems }).toEqual({ kept: [], problems: [] })
    const again = await project.ensure()
    expect(again).toEqual({ created: [], kept: expect.arrayContaining(created), problems: [] })
    expect(made).toBe(1)
  })

  test("keeps a person's files as they are, and reports broken ones", async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { '.conclave/CONTEXT.md': 'mine', '.conclave/filepaths.json': '{ "a": ' })
    let made = 0
    const { problems } = await openProject(folder, { onCreated: () => (made += 1) }).ensure()
    expect(problems).toEqual([expect.stringMatching(/filepaths\.json is no valid JSON .*left as it is/)])
    expect([read(folder, 'CONTEXT.md'), read(folder, 'filepaths.json')]).toEqual(['mine', '{ "a": '])
    expect(made).toBe(0)
  })

  test('follows no link out of the folder', async () => {
    const folder = temporaryFolder()
    const elsewhere = temporaryFolder()
    symlinkSync(elsewhere, join(folder, '.conclave'))
    const { created, problems } = await openProject(folder).ensure()
    expect(created).toEqual([])
    expect(problems.join()).toContain('symbolic link')
    expect(readdirSync(elsewhere)).toEqual([])
    expect(await readMemory(folder)).toBeUndefined()
  })

  test('a file in the place of a folder is left alone', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { '.conclave/runs': 'mine' })
    const { problems } = await openProject(folder).ensure()
    expect(problems.join()).toContain('runs')
    expect(read(folder, 'runs')).toBe('mine')
  })
})

describe('runs', () => {
  test('are noted with their task and log, and again when they end', async () => {
    const folder = temporaryFolder()
    const project = openProject(folder)
    const run = { run_id: 'run_1', task: 'Fix\n the\u001b[31m cart', at } as const
    expect(await project.linkRun({ ...run, status: 'running' })).toEqual({
      path: '.conclave/runs/run_1.json',
    })
    await project.linkRun({ ...run, status: 'complete' })
    expect(JSON.parse(read(folder, 'runs/run_1.json'))).toEqual({
      run_id: 'run_1',
      task: 'Fix the [31m cart',
      status: 'complete',
      at,
      log: '../logs/run_1',
    })
  })

  test("a person's file of that name is not overwritten, and an odd id is refused", async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { '.conclave/runs/run_1.json': 'mine', '.conclave/runs/run_2.json': '{"run_id":"x"}' })
    const project = openProject(folder)
    for (const run_id of ['run_1', 'run_2', 'run_../../x'] as const) {
      expect(await project.linkRun({ run_id, task: '', status: '', at })).toHaveProperty('problem')
    }
    expect(read(folder, 'runs/run_1.json')).toBe('mine')
  })
})

describe('deliverables', () => {
  const result = (name: string, text: string) =>
    ({ run_id: 'run_1', name, bytes: Buffer.from(text), at }) as const

  test('are stored with their origin, under another name where one is taken', async () => {
    const folder = temporaryFolder()
    const project = openProject(folder)
    await project.ensure()
    writeFiles(folder, { '.conclave/deliverables/report.md': 'mine' })
    const added = await Promise.all([
      project.addDeliverable(result('report.md', 'one')),
      project.addDeliverable(result('report.md', 'two')),
      project.addDeliverable(result('site/index.json', '\u00ff')),
      project.addDeliverable(result('index.json', '{}')),
    ])
    const paths = ['report-2.md', 'report-3.md', 'site/index.json', 'index-2.json']
    expect(added).toEqual(paths.map((path) => ({ path: `.conclave/deliverables/${path}` })))
    expect(read(folder, 'deliverables/report.md')).toBe('mine')
    expect(JSON.parse(read(folder, 'deliverables/index.json')).deliverables).toEqual(
      paths.map((path) => ({
        path: `.conclave/deliverables/${path}`,
        run_id: 'run_1',
        at,
        bytes: expect.any(Number),
      })),
    )
    expect((await readMemory(folder))?.deliverables[0]).toEqual({
      path: '.conclave/deliverables/index-2.json',
      run_id: 'run_1',
    })
  })

  test('the same bytes are stored once', async () => {
    const folder = temporaryFolder()
    const project = openProject(folder)
    await project.addDeliverable(result('a.txt', 'same'))
    expect(await project.addDeliverable(result('a.txt', 'same'))).toEqual({
      path: '.conclave/deliverables/a.txt',
    })
    expect(readdirSync(join(folder, '.conclave/deliverables')).sort()).toEqual(['a.txt', 'index.json'])
  })

  test('a broken index is not overwritten: the file is there, and it is said that it is not listed', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { '.conclave/deliverables/index.json': '[' })
    const added = await openProject(folder).addDeliverable(result('a.txt', 'x'))
    expect(added).toMatchObject({
      path: '.conclave/deliverables/a.txt',
      problem: expect.stringContaining('JSON'),
    })
    expect(read(folder, 'deliverables/index.json')).toBe('[')
  })

  test.each(['../a', '/etc/x', '.', 'conclave.yaml', '.git/config'])(
    '%s is no name for one',
    async (name) => {
      const folder = temporaryFolder()
      expect(await openProject(folder).addDeliverable(result(name, 'x'))).toEqual({
        problem: expect.any(String),
      })
    },
  )

  test('never leave through a link', async () => {
    const folder = temporaryFolder()
    const elsewhere = temporaryFolder()
    mkdirSync(join(folder, '.conclave/deliverables'), { recursive: true })
    symlinkSync(elsewhere, join(folder, '.conclave/deliverables/out'))
    expect(await openProject(folder).addDeliverable(result('out/a', 'x'))).toHaveProperty('problem')
    expect(readdirSync(elsewhere)).toEqual([])
  })
})

describe('what is remembered', () => {
  test('is cut to what fits a prompt, one line for each file', async () => {
    const folder = temporaryFolder()
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`f${n}`, `file\n${n}\u202e`]))
    writeFiles(folder, {
      '.conclave/CONTEXT.md': 'x'.repeat(9_000),
      '.conclave/filepaths.json': JSON.stringify({ odd: 7, ...many }),
    })
    const memory = await readMemory(folder)
    expect(memory?.context).toHaveLength(
      6_000 + '\n[cut: .conclave/CONTEXT.md has 3000 characters more]'.length,
    )
    expect(memory?.paths).toHaveLength(50)
    expect(memory?.paths[0]).toEqual({ path: 'f0', description: 'file 0' })
  })

  test('is nothing without CONTEXT.md, and no words before anybody wrote some', async () => {
    const folder = temporaryFolder()
    expect(await readMemory(folder)).toBeUndefined()
    await openProject(folder).ensure()
    expect(await readMemory(folder)).toEqual({ context: '', paths: [], deliverables: [], problems: [] })
    writeFileSync(join(folder, '.conclave/filepaths.json'), '[]')
    expect((await readMemory(folder))?.problems).toEqual([expect.stringContaining('does not hold an object')])
  })
})
