import { describe, expect, test } from 'vitest'
import { checkBoundaries } from './check-boundaries.ts'

const check = (files: Record<string, string>): string[] => checkBoundaries(new Map(Object.entries(files)))

const targets = {
  'src/schema/a.ts': 'export type A = 1; export const a = 1',
  'src/core/a.ts': 'export const a = 1',
  'src/ports/a.ts': 'export type A = 1; export const a = 1',
  'src/tools/a.ts': 'export const a = 1',
  'src/engine/engine.ts': 'export const a = 1',
  'src/engine/actor.ts': 'export type A = 1; export const a = 1',
  'src/adapters/a.ts': 'export const a = 1',
  'src/client/a.ts': 'export const a = 1',
  'src/cli/a.ts': 'export const a = 1',
}

/** The problems of one more file beside the targets. */
const checkFile = (file: string, text: string): string[] => check({ ...targets, [file]: text })

test('a tree that follows the arrows has no problems', () => {
  const problems = check({
    ...targets,
    'src/core/b.ts': "import { a } from '../schema/a.ts'; import './a.ts'; export const b = a",
    'src/engine/b.ts': "import { a } from '../core/a.ts'; export * from '../tools/a.ts'; export const b = a",
    'src/tui/b.ts': "import { a } from '../client/a.ts'; import '../engine/engine.ts'; export const b = a",
    'src/cli/b.ts':
      "export const b = async () => [await import('../adapters/a.ts'), await import('../tui/b.ts')]",
  })
  expect(problems).toEqual([])
})

describe('an import against the arrows is found', () => {
  const against: [string, string][] = [
    ['src/schema/b.ts', "import { a } from '../core/a.ts'; a"],
    ['src/core/b.ts', "import type { A } from '../ports/a.ts'; export type B = A"],
    ['src/engine/b.ts', "import { a } from '../adapters/a.ts'; a"],
    ['src/engine/b.ts', "export const b = () => import('../adapters/a.ts')"],
    ['src/engine/b.ts', "export * from '../adapters/a.ts'"],
    ['src/engine/b.ts', "export type B = typeof import('../adapters/a.ts')"],
    ['src/adapters/models/rehearsal.ts', "import { a } from '../../tools/a.ts'; a"],
    ['src/adapters/b.ts', "import '../engine/engine.ts'"],
    ['src/tools/b.ts', "import { a } from '../cli/a.ts'; a"],
    ['src/tui/b.ts', "import { a } from '../adapters/a.ts'; a"],
  ]
  test.each(against)('%s: %s', (file, text) => {
    const problems = checkFile(file, text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${file}: imports src/.*may not import`))
  })
})

test('where only types may be taken, a value is found', () => {
  expect(checkFile('src/client/b.ts', "import type { A } from '../ports/a.ts'; export type B = A")).toEqual(
    [],
  )
  expect(checkFile('src/client/b.ts', "import { type A } from '../ports/a.ts'; export type B = A")).toEqual(
    [],
  )
  expect(
    checkFile('src/client/b.ts', "import { a, type A } from '../ports/a.ts'; export const b: A = a"),
  ).toEqual(['src/client/b.ts: imports src/ports/a.ts; client may import only types from ports'])
  expect(checkFile('src/web/b.tsx', "import { a } from '../engine/actor.ts'; a")).toEqual([
    'src/web/b.tsx: imports src/engine/actor.ts; web may import only types from engine',
  ])
})

test('test files are free', () => {
  const text = "import { a } from '../adapters/a.ts'; Date.now(); a"
  expect(checkFile('src/core/b.test.ts', text)).toEqual([])
  expect(checkFile('src/core/b.test-support.ts', text)).toEqual([])
  expect(checkFile('src/core/b.ts', text)).toHaveLength(2)
})

test('packages stay out of the pure layers, but for zod in its one place', () => {
  expect(checkFile('src/schema/config.ts', "import { z } from 'zod'; z")).toEqual([])
  expect(checkFile('src/schema/b.ts', "import { z } from 'zod'; z")).toHaveLength(1)
  expect(checkFile('src/schema/config.ts', "import { parse } from 'yaml'; parse")).toHaveLength(1)
  expect(checkFile('src/config/b.ts', "import { parse } from 'yaml'; parse")).toEqual([])
  expect(checkFile('src/core/b.ts', "import fs from 'node:fs'; fs")).toEqual([
    'src/core/b.ts: imports node:fs; core imports nothing from outside src',
  ])
})

describe('clock, chance and process are found in core', () => {
  const impure = [
    ['Date.now', 'export const b = Date.now()'],
    ['new Date()', 'export const b = new Date()'],
    ['Math.random', 'export const b = () => Math.random()'],
    ['process', 'export const { env } = process'],
    ['process', "export const b = process.env['A']"],
    ['globalThis', "export const b = globalThis['fetch']"],
  ] as const
  test.each(impure)('%s in %s', (what, text) => {
    expect(checkFile('src/core/b.ts', text)).toEqual([
      `src/core/b.ts: uses ${what}; core is pure, so pass it in`,
    ])
    expect(checkFile('src/tools/b.ts', text)).toEqual([])
  })

  test('but not in comments, strings and names of properties', () => {
    const text = "// Date.now()\nexport const b = { process: 'Math.random()', at: new Date(0) }\nb.process"
    expect(checkFile('src/core/b.ts', text)).toEqual([])
  })
})

test('an import of nothing, of something outside src, or of something computed is found', () => {
  expect(checkFile('src/core/b.ts', "import './missing.ts'")).toEqual([
    'src/core/b.ts: imports ./missing.ts, which does not exist',
  ])
  expect(checkFile('src/cli/b.ts', "import '../../package.json'")).toEqual([
    'src/cli/b.ts: imports ../../package.json, which is outside src',
  ])
  expect(checkFile('src/cli/b.ts', 'export const b = (name: string) => import(name)')).toHaveLength(1)
})

test('a layer without a row and a file that cannot be parsed are found', () => {
  expect(checkFile('src/misc/b.ts', 'export const b = 1')).toHaveLength(1)
  expect(checkFile('src/core/b.ts', 'export const = 1')[0]).toMatch(/^src\/core\/b.ts: cannot be parsed/)
})

test('a cycle is found, unless types alone close it', () => {
  const cycle = (last: string): string[] =>
    check({
      'src/core/a.ts': "import { b } from './b.ts'; export const a = b; export type A = 1",
      'src/core/b.ts': "import { c } from './c.ts'; export const b = c",
      'src/core/c.ts': last,
    })
  expect(cycle("import { a } from './a.ts'; export const c = () => a")).toEqual([
    'import cycle: src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts',
  ])
  expect(cycle("export const c = () => import('./a.ts')")).toHaveLength(1)
  expect(cycle("import type { A } from './a.ts'; export const c: A = 1")).toEqual([])
})
