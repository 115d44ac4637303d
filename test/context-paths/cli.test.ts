import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { needs, testWith } from '../support/needs.ts'
import { Program, readResult, readStream } from '../support/program.ts'
import { writeFiles } from '../support/workbench.ts'

const AUTO = ['--permission-mode', 'auto', '--output-format', 'json']

/** A project with `docs` and `out` beside it. */
function scene(files: Record<string, string> = {}) {
  const program = new Program(files)
  const base = dirname(program.folder)
  writeFiles(base, { 'docs/a.md': 'doc\n', 'out/old.txt': 'old\n', 'out/vendor/v.txt': 'v\n' })
  const read = (name: string): string => readFileSync(join(base, name), 'utf8')
  return { program, base, read }
}

const call = (name: string, input: Record<string, unknown>) => ({ name, input })

const config = (paths: string, more = ''): string =>
  `agents: [{ id: a, backend: { type: rehearsal } }]\norchestrator: { context_paths: ${paths} }\n${more}`

describe('--context-path', () => {
  test('grants reading, or with :write also writing, from the folder, to every tool', async () => {
    const { program, base, read } = scene()
    const model = program.replies(
      {
        calls: [
          call('read_file', { path: join(base, 'docs/a.md') }),
          call('create_file', { path: join(base, 'docs/new.md'), content: 'x' }),
          call('create_file', { path: join(base, 'out/new.txt'), content: 'made' }),
          call('shell', { command: `echo shell > ${base}/out/shell.txt` }),
          ...(needs('bwrap') ? [call('shell', { command: `echo x > ${base}/docs/a.md` })] : []),
        ],
      },
      { text: 'done' },
    )
    const paths = ['--context-path', '../docs', '--context-path=../out:write']
    const { code, stdout } = await program.run(['-p', 'go', model, ...paths, ...AUTO])
    expect(code).toBe(0)
    expect(readResult(stdout).files_written).toEqual([
      { path: join(base, 'out/new.txt'), change: 'new' },
      { path: join(base, 'out/shell.txt'), change: 'new' },
    ])
    expect([read('out/new.txt'), read('out/shell.txt'), read('docs/a.md')]).toEqual([
      'made',
      'shell\n',
      'doc\n',
    ])
    expect(existsSync(join(base, 'docs/new.md'))).toBe(false)

    const { chat_id } = readResult(stdout)
    const undone = await program.run(['sessions', 'undo', chat_id])
    expect(undone.code).toBe(0)
    expect(existsSync(join(base, 'out/new.txt')) || existsSync(join(base, 'out/shell.txt'))).toBe(false)
  })

  test('control: without the flag the same calls change nothing', async () => {
    const { program, base } = scene()
    const model = program.replies(
      { calls: [call('create_file', { path: join(base, 'out/new.txt'), content: 'x' })] },
      { text: 'done' },
    )
    expect((await program.run(['-p', 'go', model, ...AUTO])).code).toBe(0)
    expect(existsSync(join(base, 'out/new.txt'))).toBe(false)
  })

  test('in Plan mode a :write path is only read, and is not made', async () => {
    const { program, base } = scene()
    const model = program.replies(
      {
        calls: [
          call('read_file', { path: join(base, 'out/old.txt') }),
          call('create_file', { path: join(base, 'out/new.txt'), content: 'x' }),
        ],
      },
      { text: 'done' },
    )
    const paths = ['--context-path', '../out:write', '--context-path', '../later:write']
    const { code, stdout } = await program.run([
      ...['-p', 'go', model, '--plan', ...paths],
      ...['--permission-mode', 'auto', '--output-format', 'stream-json'],
    ])
    expect(code).toBe(0)
    const done = readStream(stdout).envelopes.flatMap(({ event }) =>
      event.type === 'observation.recorded' ? [event.observation.success] : [],
    )
    expect(done).toEqual([true, false])
    expect(existsSync(join(base, 'out/new.txt')) || existsSync(join(base, 'later'))).toBe(false)
  })

  test('a missing path is an error, unless it is to be written and its folder is there', async () => {
    const { program, base } = scene()
    const model = program.replies({ text: 'done' })
    const start = (...paths: string[]) =>
      program.run(['-p', 'go', model, ...paths.flatMap((path) => ['--context-path', path])])
    const missing = await start('nowhere', 'no/where:write')
    expect(missing.code).toBe(42)
    expect(missing.stderr).toContain(`context path nowhere: ${program.folder}/nowhere does not exist`)
    expect(missing.stderr).toContain(`context path no/where: neither ${program.folder}/no/where nor`)
    expect(existsSync(program.journal)).toBe(false)
    expect((await start('../later:write')).code).toBe(0)
    expect(existsSync(join(base, 'later'))).toBe(false)
  })

  test('refuses to write what decides over the machine or holds keys, and may read what is no secret', async () => {
    const { program, base } = scene()
    writeFiles(program.home, { '.ssh/id': 'key', 'notes/n': 'n' })
    writeFiles(base, { 'repo/.git/hooks/x': '', 'repo/.bashrc': '' })
    mkdirSync(join(base, 'data'))
    const socket = join(base, 'docker.sock')
    const server = createServer().listen(socket)
    onTestFinished(() => void server.close())
    symlinkSync(join(program.home, '.ssh'), join(base, 'link'))
    const start = (path: string) =>
      program.run([
        ...['-p', 'go', program.replies({ text: 'done' }), '--data-dir', join(base, 'data')],
        ...['--context-path', path],
      ])
    const refused: Record<string, RegExp> = {
      '/:write': /all of the file system/,
      '~:write': /may not be written as a whole/,
      '~/.ssh:write': /keys and settings are kept in/,
      '~/.aws:write': /keys and settings are kept in/,
      '../link:write': /keys and settings are kept in/,
      '~/.config/conclave:write': /neither|keys and settings/,
      '..:write': /may not be written as a whole/,
      '/etc:write': /may not be written as a whole/,
      '../data:write': /keeps its own data/,
      '../data': /keeps its own data/,
      '/proc': /belongs to the system/,
      [socket]: /neither a file nor a folder/,
      [`${socket}:write`]: /neither a file nor a folder/,
      '../repo/.git/hooks:write': /Git's own files/,
      '../repo/.bashrc:write': /files that run when a shell starts/,
    }
    for (const [path, why] of Object.entries(refused)) {
      const { code, stderr } = await start(path)
      expect({ path, code }).toEqual({ path, code: 42 })
      expect(stderr, path).toMatch(why)
    }
    for (const path of ['~/notes', '~/notes:write', '/usr', '../repo']) {
      expect({ path, code: (await start(path)).code }).toEqual({ path, code: 0 })
    }
  })
})

describe('orchestrator.context_paths', () => {
  test('start at the config’s folder, protect what they say, and are named by doctor and config check', async () => {
    const { program, base, read } = scene()
    const place = join(base, 'settings')
    mkdirSync(place)
    writeFiles(place, {
      'my.yaml': config(
        '[{ path: ../docs }, { path: ../out, permission: write, protected_paths: [vendor, ../out/old.txt] }, { path: ~/notes, permission: write }]',
      ),
    })
    const shown = `${join(base, 'out')} (write, except ${join(base, 'out/vendor')}, ${join(base, 'out/old.txt')})`
    const file = join(place, 'my.yaml')
    const checked = await program.run(['config', 'check', file])
    expect(checked.code).toBe(0)
    expect(checked.stdout).toContain(`context path ${join(base, 'docs')} (read)\n`)
    expect(checked.stdout).toContain(`context path ${shown}\n`)
    expect(checked.stdout).toContain(`context path ${join(program.home, 'notes')} (write, not there yet)\n`)
    const doctor = await program.run(['doctor', '--config', file])
    expect(doctor.stdout).toContain(`paths     ${join(base, 'docs')} (read), ${shown}`)

    const model = program.replies(
      {
        calls: [
          call('create_file', { path: join(base, 'out/new.txt'), content: 'made' }),
          call('delete_file', { path: join(base, 'out/vendor/v.txt') }),
          call('delete_file', { path: join(base, 'out/old.txt') }),
          call('delete_file', { path: join(base, 'docs/a.md') }),
        ],
      },
      { text: 'done' },
    )
    const script = model.slice('--model=scripted/'.length)
    writeFiles(place, {
      'run.yaml': config(
        '[{ path: ../docs }, { path: ../out, permission: write, protected_paths: [vendor, ../out/old.txt] }]',
      ).replace('{ type: rehearsal }', `{ type: scripted, file: ${JSON.stringify(script)} }`),
    })
    const { code } = await program.run(['-p', 'go', '--config', join(place, 'run.yaml'), ...AUTO])
    expect(code).toBe(0)
    expect([read('out/new.txt'), read('out/vendor/v.txt'), read('out/old.txt'), read('docs/a.md')]).toEqual([
      'made',
      'v\n',
      'old\n',
      'doc\n',
    ])
  })

  test('problems of protected paths are said', async () => {
    const { program, base } = scene()
    symlinkSync(join(base, 'out/vendor'), join(base, 'out/link'))
    writeFiles(base, {
      'bad.yaml': config(
        '[{ path: out, permission: write, protected_paths: [../docs] }, { path: docs, permission: write }, { path: out/vendor/../, permission: write, protected_paths: [link] }]',
      ),
    })
    const { code, stderr } = await program.run(['config', 'check', join(base, 'bad.yaml')])
    expect(code).toBe(42)
    expect(stderr).toContain(`protected path ../docs is not below ${join(base, 'out')}`)
    expect(stderr).toContain(`protected path link is or goes through a link`)
    const doctor = await program.run(['doctor', '--config', join(base, 'bad.yaml')])
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(/✖ paths .*is not below/)
  })

  test('for the very same path the command line decides; what the config protects stays protected', async () => {
    const { program, base, read } = scene()
    writeFiles(base, {
      'mine.yaml': config('[{ path: out, permission: read, protected_paths: [vendor] }]'),
    })
    const checked = await program.run([
      ...['config', 'check', join(base, 'mine.yaml'), '--context-path', '../out:write'],
    ])
    expect(checked.stdout).toContain(`${join(base, 'out')} (write, except ${join(base, 'out/vendor')})`)
    expect(read('out/old.txt')).toBe('old\n')
  })

  test('33 those of a folder’s own config do nothing before it is trusted', async () => {
    const { program, base } = scene()
    const script = program
      .replies(
        { calls: [call('create_file', { path: join(base, 'out/new.txt'), content: 'x' })] },
        { text: 'done' },
      )
      .slice('--model=scripted/'.length)
    writeFiles(program.folder, {
      'conclave.yaml': config('[{ path: ../out, permission: write }]').replace(
        '{ type: rehearsal }',
        `{ type: scripted, file: ${JSON.stringify(script)} }`,
      ),
    })
    const untrusted = await program.run(['-p', 'go', ...AUTO])
    expect(untrusted.code).toBe(55)
    const model = program.replies(
      { calls: [call('create_file', { path: join(base, 'out/new.txt'), content: 'x' })] },
      { text: 'done' },
    )
    writeFiles(base, { 'other.yaml': config('[]') })
    const own = await program.run(['-p', 'go', '--config', join(base, 'other.yaml'), model, ...AUTO])
    expect(own.code).toBe(0)
    expect(existsSync(join(base, 'out/new.txt'))).toBe(false)
    const trusted = await program.run(['-p', 'go', '--trust', ...AUTO])
    expect(trusted.code).toBe(0)
    expect(existsSync(join(base, 'out/new.txt'))).toBe(true)
  })
})

testWith(
  'bwrap',
  'a turn that was killed goes on with the reach it was started with, and no other',
  async () => {
    const { program, base, read } = scene()
    const out = join(base, 'out')
    const model = program.replies(
      { calls: [call('create_file', { path: join(out, 'one.txt'), content: '1' })] },
      { calls: [call('shell', { command: 'touch begun; sleep 60' })] },
      {
        calls: [
          call('shell', { command: `echo 2 > ${out}/two.txt` }),
          call('create_file', { path: join(base, 'docs/x'), content: 'x' }),
        ],
      },
      { text: 'done' },
    )
    const running = program.start(['-p', 'go', model, '--context-path', '../out:write', ...AUTO])
    await running.until(() => existsSync(join(program.folder, 'begun')))
    running.signal('SIGKILL')
    await running.ended
    const { code, stdout } = await program.run([
      '-p',
      '-c',
      model,
      '--context-path',
      '../docs:write',
      ...AUTO,
    ])
    expect(code).toBe(0)
    expect(readResult(stdout).status).toBe('complete')
    expect(read('out/two.txt')).toBe('2\n')
    expect(existsSync(join(base, 'docs/x'))).toBe(false)
  },
)
