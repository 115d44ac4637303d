import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { localShell } from '../../src/adapters/shell/local-shell.ts'
import { sandboxShell } from '../../src/adapters/shell/sandbox-shell.ts'
import type { ContextPath, Reach } from '../../src/schema/reach.ts'
import { testWith } from '../support/needs.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'

type Granted = Partial<ContextPath> & { path: string }

/** A folder with a root in it, and paths beside and inside the root that a command may reach. */
function scene(files: Record<string, string>, context: Granted[], more: Partial<Reach> = {}) {
  const base = temporaryFolder()
  mkdirSync(join(base, 'root'))
  writeFiles(base, files)
  const reach: Reach = {
    root: join(base, 'root'),
    root_access: 'write',
    context: context.map(({ path, permission = 'read', protected_paths = [] }) => ({
      path: join(base, path),
      permission,
      protected_paths: protected_paths.map((spared) => join(base, spared)),
    })),
    ...more,
  }
  const run = (command: string, access: 'read' | 'write' = 'write', ahead = false) =>
    sandboxShell({ ahead }).run({
      command,
      cwd: reach.root,
      timeout_ms: 20_000,
      access,
      reach,
      signal: new AbortController().signal,
    })
  const read = (name: string): string => readFileSync(join(base, name), 'utf8')
  return { base, reach, run, read }
}

const DENIED = /Read-only file system/

describe('a command and its context paths', () => {
  testWith('bwrap', 'a read path is read and not written; a write path is both', async () => {
    const { base, run, read } = scene({ 'docs/a': 'doc\n', 'out/a': 'old\n', 'other/a': 'x\n' }, [
      { path: 'docs' },
      { path: 'out', permission: 'write' },
    ])
    const { output } = await run(
      `cat ${base}/docs/a; echo new > ${base}/docs/a; rm ${base}/docs/a; echo new > ${base}/out/a; echo x > ${base}/out/b; cat ${base}/other/a`,
    )
    expect(output).toMatch(/^doc\n.*Read-only.*Read-only.*other\/a: No such file/s)
    expect([read('docs/a'), read('out/a'), read('out/b')]).toEqual(['doc\n', 'new\n', 'x\n'])
  })

  testWith('bwrap', 'control: without the grant the same command writes nothing there', async () => {
    const { base, run, read } = scene({ 'out/a': 'old\n' }, [])
    expect((await run(`echo new > ${base}/out/a`)).exit_code).not.toBe(0)
    expect(read('out/a')).toBe('old\n')
  })

  testWith('bwrap', 'where only looking is allowed, nothing of the reach is written', async () => {
    const { base, run, read } = scene({ 'out/a': 'old\n', 'root/a': 'old\n' }, [
      { path: 'out', permission: 'write' },
      { path: 'later', permission: 'write' },
    ])
    for (const ahead of [false, true, true]) {
      const { output } = await run(`cat ${base}/out/a; echo new > ${base}/out/a; echo new > a`, 'read', ahead)
      expect(output).toMatch(/^old\n.*Read-only.*Read-only/s)
    }
    expect([read('out/a'), read('root/a')]).toEqual(['old\n', 'old\n'])
    expect(existsSync(join(base, 'later'))).toBe(false)
  })

  testWith('bwrap', '5 the narrowest path decides, at any depth and in any order', async () => {
    const { base, run, read } = scene(
      { 'all/x': '', 'all/a/x': '', 'all/a/b/x': '', 'all/a/b/c/x': '', 'root/in/x': '', 'root/x': '' },
      [
        { path: 'all/a/b/c', permission: 'write' },
        { path: 'root/in' },
        { path: 'all/a/b' },
        { path: 'all' },
        { path: 'all/a', permission: 'write' },
      ],
    )
    const files = ['all/x', 'all/a/x', 'all/a/b/x', 'all/a/b/c/x', 'root/in/x', 'root/x']
    await run(files.map((name) => `echo y > ${base}/${name}`).join('; '))
    expect(files.map(read)).toEqual(['', 'y\n', '', 'y\n', '', 'y\n'])
  })

  testWith('bwrap', 'of two grants for one path the stricter holds, also for the root itself', async () => {
    const { base, run, read } = scene({ 'out/a': '', 'out2/a': '', 'root/a': '' }, [
      { path: 'out', permission: 'write' },
      { path: 'out' },
      { path: 'out2' },
      { path: 'out2', permission: 'write' },
      { path: 'root' },
    ])
    const { output } = await run(`echo y > ${base}/out/a; echo y > ${base}/out2/a; echo y > a`)
    expect(output.match(/Read-only/g)).toHaveLength(3)
    expect([read('out/a'), read('out2/a'), read('root/a')]).toEqual(['', '', ''])
  })

  testWith('bwrap', 'a root for reading only', async () => {
    const { base, run, read } = scene({ 'root/a': '', 'out/a': '' }, [{ path: 'out', permission: 'write' }], {
      root_access: 'read',
    })
    expect((await run(`echo y > ${base}/out/a; pwd; echo y > a`)).output).toMatch(DENIED)
    expect([read('out/a'), read('root/a')]).toEqual(['y\n', ''])
  })

  testWith('bwrap', 'single files', async () => {
    const { base, run, read } = scene({ 'one/a': 'a\n', 'one/b': 'b\n', 'one/c': 'c\n' }, [
      { path: 'one/a', permission: 'write' },
      { path: 'one/b' },
    ])
    await run(`echo y >> ${base}/one/a; echo y >> ${base}/one/b; echo y >> ${base}/one/c`)
    expect(['one/a', 'one/b', 'one/c'].map(read)).toEqual(['a\ny\n', 'b\n', 'c\n'])
  })

  testWith(
    'bwrap',
    'protected paths hold, and cannot be moved away with the folders around them',
    async () => {
      const { base, run, read } = scene({ 'src/deep/vendor/a': 'a\n', 'src/keys': 'k\n' }, [
        { path: 'src', permission: 'write', protected_paths: ['src/deep/vendor', 'src/keys'] },
      ])
      const attacks = [
        `echo y > ${base}/src/deep/vendor/a`,
        `touch ${base}/src/deep/vendor/new`,
        `rm -rf ${base}/src/deep/vendor`,
        `mv ${base}/src/deep/vendor ${base}/src/aside`,
        `mv ${base}/src/deep ${base}/src/aside`,
        `echo y > ${base}/src/keys`,
        `mv ${base}/src/keys ${base}/src/x`,
        `ln -sf /etc/passwd ${base}/src/keys`,
      ]
      for (const attack of attacks) expect((await run(attack)).exit_code, attack).not.toBe(0)
      expect((await run(`echo y > ${base}/src/deep/free; cat ${base}/src/deep/vendor/a`)).output).toBe('a\n')
      expect([read('src/deep/vendor/a'), read('src/keys'), read('src/deep/free')]).toEqual([
        'a\n',
        'k\n',
        'y\n',
      ])
      expect(readdirSync(join(base, 'src/deep/vendor'))).toEqual(['a'])
    },
  )

  testWith('bwrap', 'control: the same attacks work where nothing is protected', async () => {
    const { base, run } = scene({ 'src/deep/vendor/a': 'a\n', 'src/keys': 'k\n' }, [
      { path: 'src', permission: 'write' },
    ])
    const commands = `echo y > ${base}/src/keys && mv ${base}/src/deep ${base}/src/aside`
    expect((await run(commands)).exit_code).toBe(0)
    expect(existsSync(join(base, 'src/aside/vendor/a'))).toBe(true)
  })

  testWith('bwrap', 'what a command makes at a protected path that was not there is set aside', async () => {
    const { base, run } = scene({ 'src/a': '' }, [
      { path: 'src', permission: 'write', protected_paths: ['src/vendor'] },
    ])
    const { output } = await run(`mkdir ${base}/src/vendor; echo y > ${base}/src/vendor/x`)
    expect(output).toMatch(/\[conclave: a command may not make .*src\/vendor/)
    expect(existsSync(join(base, 'src/vendor'))).toBe(false)
  })

  testWith('bwrap', 'a writable path that is not there yet is made', async () => {
    const { base, run, read } = scene({}, [{ path: 'out', permission: 'write' }])
    expect(await run(`echo y > ${base}/out/a`)).toEqual({ exit_code: 0, output: '' })
    expect(read('out/a')).toBe('y\n')
  })

  testWith('bwrap', '4 protected names stay protected in every writable path, and nowhere else', async () => {
    const { base, run, read } = scene(
      {
        'out/.git/config': 'old\n',
        'out/.git/HEAD': 'old\n',
        'out/.mcp.json': 'old\n',
        'docs/.git/HEAD': 'old\n',
        'root/kept/.git/HEAD': 'old\n',
        'root/kept/.git/config': 'old\n',
      },
      [{ path: 'out', permission: 'write' }, { path: 'docs' }, { path: 'root/kept' }],
    )
    const files = ['out/.git/config', 'out/.mcp.json', 'docs/.git/HEAD', 'root/kept/.git/HEAD']
    for (const name of files) expect((await run(`echo y > ${base}/${name}`)).output, name).toMatch(DENIED)
    expect((await run(`echo y > ${base}/out/.git/HEAD`)).exit_code).toBe(0)
    const made = await run(`echo y > ${base}/out/.bashrc; mkdir ${base}/out/sub`)
    expect(made.output).toMatch(/may not make .bashrc/)
    expect(files.map(read)).toEqual(files.map(() => 'old\n'))
    expect(existsSync(join(base, 'out/.bashrc'))).toBe(false)
  })

  testWith(
    'bwrap',
    'a path protected inside a repository stays so, although Git may write the rest',
    async () => {
      const { base, run, read } = scene({ 'root/.git/HEAD': 'old\n', 'root/.git/refs/a': 'old\n' }, [
        { path: 'root', permission: 'write', protected_paths: ['root/.git/refs'] },
      ])
      await run(`echo y > .git/HEAD; echo y > .git/refs/a`)
      expect([read('root/.git/HEAD'), read('root/.git/refs/a')]).toEqual(['y\n', 'old\n'])
      expect(existsSync(base)).toBe(true)
    },
  )

  testWith('bwrap', '5 a granted path that has become a link runs nothing', async () => {
    const { base, run, read } = scene({ 'docs/a': 'a\n', 'out/a': 'a\n', 'elsewhere/a': 'canary\n' }, [
      { path: 'docs' },
      { path: 'out', permission: 'write' },
    ])
    expect((await run(`cat ${base}/docs/a`)).output).toBe('a\n')
    for (const name of ['out', 'docs']) {
      renameSync(join(base, name), join(base, `${name}-aside`))
      symlinkSync(join(base, 'elsewhere'), join(base, name))
      const result = await run(`echo hacked > ${base}/${name}/a; cat ${base}/${name}/a`)
      expect(result).toMatchObject({ exit_code: null, ended_by: 'start_failed' })
      expect(result.output).toMatch(/symbolic link now/)
      rmSync(join(base, name))
      renameSync(join(base, `${name}-aside`), join(base, name))
    }
    expect(read('elsewhere/a')).toBe('canary\n')
    expect((await run(`cat ${base}/docs/a`)).output).toBe('a\n')
  })

  testWith('bwrap', 'a sandbox started ahead is not used when a granted folder was made anew', async () => {
    const { base, run } = scene({ 'docs/old': '' }, [{ path: 'docs' }])
    await run('true', 'read', true)
    await sleep(50)
    rmSync(join(base, 'docs'), { recursive: true })
    writeFiles(base, { 'docs/new': '' })
    expect(await run(`ls ${base}/docs`, 'read', true)).toEqual({ exit_code: 0, output: 'new\n' })
  })

  testWith('bwrap', '16 a link in a context path leads to nothing that was not granted', async () => {
    const { base, run, read } = scene({ 'out/a': '', 'secret/key': 'canary\n' }, [
      { path: 'out', permission: 'write' },
    ])
    symlinkSync(join(base, 'secret/key'), join(base, 'out/link'))
    const { output } = await run(`cat ${base}/out/link; echo hacked > ${base}/out/link`)
    expect(output).not.toContain('canary')
    expect(read('secret/key')).toBe('canary\n')
  })

  testWith(
    'bwrap',
    'secrets stay hidden inside a granted folder, and one granted by name is seen',
    async () => {
      const home = temporaryFolder()
      writeFiles(home, { '.ssh/id': 'key\n', '.aws/config': 'aws\n', 'work/a': 'a\n', 'notes/n': 'n\n' })
      const before = process.env['HOME']
      process.env['HOME'] = home
      try {
        const reach: Reach = {
          root: join(home, 'work'),
          root_access: 'write',
          context: ['', '/.aws'].map((path) => ({
            path: home + path,
            permission: 'read',
            protected_paths: [],
          })),
        }
        const { output } = await sandboxShell().run({
          command: `cat ${home}/notes/n; cat ${home}/.aws/config; cat ${home}/.ssh/id; echo x > ${home}/notes/n; echo x > a`,
          cwd: reach.root,
          timeout_ms: 20_000,
          access: 'write',
          reach,
          signal: new AbortController().signal,
        })
        expect(output).toMatch(/^n\naws\n.*id: No such file.*Read-only/s)
      } finally {
        process.env['HOME'] = before
      }
      expect(readFileSync(join(home, 'work/a'), 'utf8')).toBe('x\n')
    },
  )

  testWith('bwrap', 'two turns of one chat with different reach do not get in each other’s way', async () => {
    const first = scene({ 'a/x': 'a\n', 'b/x': 'b\n' }, [{ path: 'a', permission: 'write' }])
    const { base } = first
    const look = (context: string) =>
      sandboxShell({ ahead: true }).run({
        command: `cat ${base}/a/x ${base}/b/x`,
        cwd: first.reach.root,
        timeout_ms: 20_000,
        access: 'read',
        reach: {
          ...first.reach,
          context: [{ path: join(base, context), permission: 'write', protected_paths: [] }],
        },
        signal: new AbortController().signal,
      })
    await first.run('true')
    for (let round = 0; round < 2; round += 1) {
      expect((await look('a')).output).toMatch(/^a\n.*b\/x: No such file/s)
      expect((await look('b')).output).toMatch(/a\/x: No such file.*\nb\n$/s)
    }
  })
})

it('without a sandbox, a root for reading only gets no command', async () => {
  const { reach } = scene({}, [], { root_access: 'read' })
  const request = {
    command: 'echo ran',
    cwd: reach.root,
    timeout_ms: 20_000,
    access: 'write',
    signal: new AbortController().signal,
  } as const
  expect(await localShell().run({ ...request, reach })).toMatchObject({ ended_by: 'start_failed' })
  expect((await localShell().run(request)).output).toBe('ran\n')
})
