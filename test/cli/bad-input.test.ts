import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Ended, Program, type RunOptions } from '../support/program.ts'

/** Runs and expects a refusal: the code, these words on stderr, nothing on stdout, no stack trace. */
async function refused(
  args: string[],
  { code, says }: { code: number; says: RegExp },
  options: RunOptions & { program?: Program } = {},
): Promise<Ended> {
  const { program = new Program(), ...run } = options
  const ended = await program.run(args, run)
  expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(says) })
  expect(ended.stderr).not.toMatch(/^\s+at |node:internal|Node\.js v/m)
  return ended
}

const withModel = (...args: string[]) => {
  const program = new Program()
  return { program, args: [...args, program.replies({ text: 'ok' })] }
}

test.each([
  { args: ['--modle', 'x'], says: /^conclave: unknown flag --modle; did you mean --model\?\nRun conclave/ },
  { args: ['-p', 'hi', '--config'], says: /--config needs a value: --config <file>/ },
  { args: ['-p', 'hi', '-m', 'a/b', '-m', 'c/d'], says: /-m is given twice/ },
  { args: ['-p', 'hi', '--max-tokens', 'many'], says: /must be a whole number above 0, not "many"/ },
  { args: ['-p', 'hi', '--timeout', '-5'], says: /must be a number above 0, not "-5"/ },
  { args: ['-p', 'hi', '--permission-mode', 'yolo'], says: /must be one of ask, auto-edit, auto, deny/ },
  { args: ['-p', 'hi', '-m', 'gpt'], says: /-m takes provider\/model, such as .*, not "gpt"/ },
  { args: ['sesions'], says: /unknown command sesions; did you mean sessions\?/ },
  { args: ['config', 'chekc'], says: /conclave config check/ },
])('usage: $args', async ({ args, says }) => {
  await refused(args, { code: 2, says })
})

test.each([
  { what: 'empty', args: ['-p', ''], options: {} },
  { what: 'blank', args: ['-p', ' \n\t '], options: {} },
  { what: 'missing', args: ['-p'], options: {} },
  { what: 'an empty pipe', args: ['-p'], options: { stdin: '' } },
])('a prompt that is $what', async ({ args, options }) => {
  const given = withModel(...args)
  await refused(
    given.args,
    { code: 42, says: /^conclave: the prompt is empty: conclave -p/ },
    { ...given, ...options },
  )
  expect((await given.program.run(['sessions', 'list'])).stdout).toBe('No chats yet.\n')
})

test.each([
  { what: 'binary', stdin: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]), says: /standard input is binary/ },
  { what: 'not UTF-8', stdin: Buffer.from([0x68, 0xff, 0xfe]), says: /standard input is not valid UTF-8/ },
  {
    what: '11 MB',
    stdin: Buffer.alloc(11 * 1024 * 1024, 'x'),
    says: /standard input is over 10 MB; put it in/,
  },
])('standard input that is $what', async ({ stdin, says }) => {
  const given = withModel('-p', 'read this')
  await refused(given.args, { code: 42, says }, { ...given, stdin })
})

test('10 MB of standard input are taken', async () => {
  const { program, args } = withModel('-p', 'read this')
  const ended = await program.run(args, { stdin: Buffer.alloc(10 * 1024 * 1024, 'x') })
  expect(ended).toEqual({ code: 0, stdout: 'ok\n', stderr: '' })
})

test('a folder that is missing, a file, or closed to us', async () => {
  const { program, args } = withModel('-p', 'hi')
  writeFileSync(join(program.folder, 'file'), '')
  const closed = join(program.folder, 'closed')
  mkdirSync(closed, { mode: 0 })
  onTestFinished(() => chmodSync(closed, 0o700))
  await refused(
    [...args, '-C', 'nowhere'],
    { code: 42, says: /cannot work in .*nowhere: it does not exist/ },
    { program },
  )
  await refused(
    [...args, '-C', 'file'],
    { code: 42, says: /cannot work in .*file: it is not a folder/ },
    { program },
  )
  const says = /cannot work in .*closed: you have no permission to read it/
  await refused([...args, '-C', 'closed'], { code: 42, says }, { program, unprivileged: true })
})

test.each([
  { what: 'missing', text: undefined, says: /the script .* cannot be read: ENOENT/ },
  { what: 'not JSON', text: '{"replies": [', says: /the script .* is not JSON/ },
  { what: 'without replies', text: '{}', says: /the script .* has no replies/ },
  { what: 'empty', text: '[]', says: /the script .* has no replies/ },
  { what: 'null', text: 'null', says: /the script .* has no replies/ },
  { what: 'of the wrong shape', text: '[{"text": 5}]', says: /reply 1: text must be a string/ },
])('a script that is $what', async ({ text, says }) => {
  const program = new Program()
  if (text !== undefined) writeFileSync(join(program.folder, 'script.json'), text)
  const ended = await refused(['-p', 'hi', '-m', 'scripted/script.json'], { code: 42, says }, { program })
  expect(ended.stderr).toContain('a script is {"replies"')
})

test('commands that this version does not carry out are refused, not ignored', async () => {
  for (const command of ['worker', 'acp']) {
    await refused([command], { code: 2, says: /is not in this version yet/ })
  }
})
