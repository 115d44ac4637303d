import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makePlayground } from './tools.test-support.ts'
import type { Playground } from './tools.test-support.ts'

let play: Playground

beforeEach(() => {
  play = makePlayground()
})

afterEach(() => {
  play.remove()
})

describe('read_file', () => {
  it('numbers the lines, right-aligned', async () => {
    play.put('file.txt', Array.from({ length: 10 }, (_, index) => `line ${index + 1}\r\n`).join(''))
    const { success, output } = await play.run('read_file', { path: 'file.txt' })
    expect(success).toBe(true)
    expect(output.split('\n')).toHaveLength(10)
    expect(output).toMatch(/^ 1\tline 1\n 2\tline 2\n[^]*\n 9\tline 9\n10\tline 10$/u)
  })

  it('tells how to go on, and going on there misses nothing', async () => {
    play.put('file.txt', 'a\nb\nc\nd\n')
    const first = await play.run('read_file', { path: 'file.txt', limit: 2 })
    expect(first.output).toBe('1\ta\n2\tb\n… more after line 2 of 4; go on with offset 3')
    const second = await play.run('read_file', { path: 'file.txt', offset: 3 })
    expect(second.output).toBe('3\tc\n4\td')
  })

  it('says that a file is empty, or shorter than that, or not valid UTF-8', async () => {
    play.put('empty.txt', '')
    play.put('short.txt', 'a\n')
    play.put('bad.txt', Buffer.from([0x61, 0xff, 0x0a]))
    expect(await play.run('read_file', { path: 'empty.txt' })).toMatchObject({
      success: true,
      output: '(the file is empty)',
    })
    expect(await play.run('read_file', { path: 'short.txt', offset: 5 })).toEqual({
      success: false,
      output: 'line 5 is past the end of short.txt, which has 1',
    })
    expect((await play.run('read_file', { path: 'bad.txt' })).output).toContain('not valid UTF-8')
  })
})

describe('list_directory', () => {
  it('shows folders first, sizes, links, and not what is in .git and node_modules', async () => {
    play.put('b.txt', 'x'.repeat(1_500))
    play.put('src/deep/file.ts', 'x')
    play.put('.git/config', '')
    play.put('node_modules/thing/index.js', '')
    play.put('odd\nname', '')
    fs.symlinkSync('b.txt', path.join(play.root, 'link'))
    const { output } = await play.run('list_directory', { depth: 3 })
    expect(output.split('\n')).toEqual([
      '.git/',
      'node_modules/',
      'src/',
      '  deep/',
      '    file.ts  1 B',
      'b.txt  1.5 kB',
      'link  (symbolic link)',
      '"odd\\nname"  0 B',
    ])
    expect((await play.run('list_directory', {})).output).not.toContain('deep')
    expect((await play.run('list_directory', { path: 'node_modules' })).output).toBe('thing/')
  })

  it('stops after 500 entries and says so', async () => {
    for (let index = 0; index < 510; index += 1) play.put(`many/${index}.txt`, '')
    const lines = (await play.run('list_directory', { path: 'many' })).output.split('\n')
    expect(lines).toHaveLength(501)
    expect(lines.at(-1)).toContain('… and more: stopped after 500 entries')
    play.put('empty/x', '')
    fs.rmSync(path.join(play.root, 'empty/x'))
    expect((await play.run('list_directory', { path: 'empty' })).output).toBe('(the folder is empty)')
  })
})

describe('create_file', () => {
  it('creates a file with its folders', async () => {
    expect(await play.run('create_file', { path: 'a/b.txt', content: 'one\ntwo' })).toEqual({
      success: true,
      output: 'created a/b.txt (2 lines)',
      files: [{ path: 'a/b.txt', change: 'new' }],
    })
    expect(play.get('a/b.txt')).toBe('one\ntwo')
  })

  it('refuses an existing file and points to update_file', async () => {
    play.put('file.txt', 'mine')
    const result = await play.run('create_file', { path: 'file.txt', content: 'yours' })
    expect(result).toEqual({
      success: false,
      output: '"file.txt" already exists; use update_file to change it',
    })
    expect(play.get('file.txt')).toBe('mine')
  })
})

describe('delete_file', () => {
  it('deletes one file', async () => {
    play.put('file.txt', '')
    expect(await play.run('delete_file', { path: 'file.txt' })).toEqual({
      success: true,
      output: 'deleted file.txt',
      files: [{ path: 'file.txt', change: 'deleted' }],
    })
    expect(fs.readdirSync(play.root)).toEqual([])
    expect(await play.run('delete_file', { path: 'file.txt' })).toMatchObject({ success: false })
  })
})

describe('every file tool', () => {
  it('refuses what is outside or goes through a link', async () => {
    fs.symlinkSync(`${play.root}-sibling`, path.join(play.root, 'out'))
    const ways = ['../root-sibling', `${play.root}-sibling`, 'out', '/etc', 'a\0b']
    for (const way of ways.flatMap((folder) => [folder, `${folder}/canary.txt`])) {
      const calls: [string, Record<string, unknown>][] = [
        ['read_file', { path: way }],
        ['search_code', { path: way, pattern: 'canary' }],
        ['list_directory', { path: way }],
        ['create_file', { path: way, content: 'hacked' }],
        ['update_file', { path: way, edits: [{ old_text: 'canary', new_text: 'hacked' }] }],
        ['delete_file', { path: way }],
      ]
      for (const [tool, input] of calls) {
        const result = await play.run(tool, input)
        expect(result.success, `${tool} ${way}`).toBe(false)
        expect(result.output, `${tool} ${way}`).not.toContain('canary\n')
      }
    }
    expect(fs.readFileSync(`${play.root}-sibling/canary.txt`, 'utf8')).toBe('canary')
  })

  it('leaves protected files alone', async () => {
    play.put('.git/config', 'before')
    const edits = [{ old_text: 'before', new_text: 'after' }]
    expect((await play.run('update_file', { path: '.git/config', edits })).output).toContain('protected')
    expect((await play.run('delete_file', { path: '.git/config' })).output).toContain('protected')
    expect((await play.run('create_file', { path: '.git/hooks/x', content: '' })).output).toContain(
      'protected',
    )
    expect(play.get('.git/config')).toBe('before')
  })
})
