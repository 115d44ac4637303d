import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flags } from '../../src/cli/flags.ts'
import { Program } from '../support/program.ts'

test('--help lists every command, flag and exit code', async () => {
  const { code, stdout, stderr } = await new Program().run(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const flag of Object.keys(flags)) expect(stdout).toMatch(new RegExp(`--${flag}\\b`))
  for (const word of ['-p <prompt>', 'sessions list', 'config check', 'doctor', '130 interrupted']) {
    expect(stdout).toContain(word)
  }
  const longest = Math.max(...stdout.split('\n').map((line) => line.length))
  expect(longest).toBeLessThanOrEqual(140)
})

test('--version prints the version, whatever else is said', async () => {
  const program = new Program()
  const alone = await program.run(['--version'])
  expect(alone).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
  expect(await program.run(['-V', '--verbose'])).toEqual(alone)
})

test('doctor says what works, and its exit code whether something is broken', async () => {
  const program = new Program({ 'bad.yaml': 'agents: 1', file: '' })
  const well = await program.run(['doctor'])
  expect(well).toMatchObject({ code: 0, stderr: '' })
  for (const subject of ['conclave', 'storage', 'models', 'search']) {
    expect(well.stdout).toMatch(new RegExp(`^✔ ${subject} `, 'm'))
  }
  const noStorage = await program.run(['doctor', '--data-dir', 'file'])
  expect(noStorage).toMatchObject({ code: 1, stdout: expect.stringMatching(/^✖ storage /m) })
  const noModels = await program.run(['doctor', '--config', 'bad.yaml'])
  expect(noModels).toMatchObject({ code: 1, stdout: expect.stringMatching(/^✖ models /m) })
})

test('without key, config or server the built-in planner answers and says what it is', async () => {
  const program = new Program({ 'a.txt': 'x\n' })
  const { code, stdout } = await program.run(['-p', 'hello'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/not a language model/i) })
})

test('nothing is written into a project that is only looked at', async () => {
  const program = new Program()
  for (const args of [['doctor'], ['sessions', 'list'], ['--help']]) await program.run(args)
  expect((await program.shell('ls -A')).stdout).toBe('')
})

test('a rule that denies a path denies reading it, however it is spelled', async () => {
  const program = new Program({ 'secret/key.txt': 'THE KEY\n', 'open.txt': 'fine\n' })
  const paths = ['secret/key.txt', './open/../secret/key.txt', join(program.folder, 'secret/key.txt')]
  const read = (path: string) => ({ name: 'read_file', input: { path } })
  const calls = [
    ...paths.map(read),
    { name: 'search_code', input: { pattern: 'KEY', path: 'secret/key.txt' } },
    read('open.txt'),
  ]
  const model = program.replies({ calls }, { text: 'Read.' })
  program.configure(
    `agents: [{ id: a, backend: { type: scripted, file: ${model.slice('--model=scripted/'.length)} } }]\n` +
      'permissions: [{ tool: "*", resource: "secret*", action: deny }]\n',
  )
  const { code, stdout } = await program.run(['-p', 'go', '--permission-mode', 'auto', '--verbose'])
  expect(code).toBe(0)
  expect(stdout).not.toContain('THE KEY')
  expect(stdout.match(/a rule of the config denies/g)).toHaveLength(4)
  expect(stdout).toContain('fine')
})

test('the rules of the config are kept, whatever the permission mode: denied, asked, allowed', async () => {
  const script = (command: string) => ({ calls: [{ name: 'shell', input: { command } }] })
  const program = new Program({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const model = program.replies(script('rm a.txt'), script('rm b.txt'), { text: 'Tried.' })
  program.configure(
    `agents: [{ id: a, backend: { type: scripted, file: ${model.slice('--model=scripted/'.length)} } }]\n` +
      'permissions:\n' +
      '  - { tool: shell, action: allow }\n' +
      '  - { tool: shell, resource: "rm a*", action: deny }\n',
  )
  expect(await program.run(['-p', 'go', '--permission-mode', 'deny'])).toMatchObject({
    code: 0,
    stdout: 'Tried.\n',
  })
  expect([existsSync(join(program.folder, 'a.txt')), existsSync(join(program.folder, 'b.txt'))]).toEqual([
    true,
    false,
  ])
})
