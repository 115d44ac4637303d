import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Program, readResult, readStream } from '../support/program.ts'

const range = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('')

/** Everything a terminal could act on, or that hides what is there. */
const hostile = [
  range(0x00, 0x1f).replaceAll(/[\t\n]/g, ''),
  range(0x7f, 0x9f),
  '\u001b[2J\u001b[31mred\u001b[0m',
  '\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007',
  '\u001b]52;c;aGk=\u0007',
  '\u001bP+q544e\u001b\\',
  '\u009b31m\u009d0;title\u009c',
  'admin\u202etxt.exe\u2066x\u2069\u200e\u200f\u061c',
  'ze\u200bro\u200c\u200d\u2060\ufeff\u00ad',
  '\u2028\u2029\u{e0041}\u{e007f}\u{e0100}\u180e\u3164\u115f',
].join('|')

const raw =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff]|[\u{e0000}-\u{e0fff}]/u

const expectClean = (texts: Record<string, string>): void => {
  for (const [name, text] of Object.entries(texts)) {
    expect(text, name).not.toBe('')
    expect(raw.exec(text), name).toBeNull()
  }
}

test('nothing that a model, tool, file or prompt holds reaches the terminal raw', async () => {
  const program = new Program()
  const name = `evil\u001b[31m\u202e\u0007.txt`
  writeFileSync(join(program.folder, name), `${hostile.replace('\0', '')}\n`)
  const model = program.replies(
    {
      text: hostile,
      reasoning: hostile,
      calls: [
        { name: 'list_directory', input: { path: '.' } },
        { name: 'read_file', input: { path: name } },
        { name: 'read_file', input: { path: `missing\u001b[31m` } },
        { name: 'shell', input: { command: `printf '\\033[31mred\\007\\033]52;c;aGk=\\007'; # \u001b` } },
        { name: `tool\u001b[31m`, input: { '\u001b': '\u009b' } },
      ],
    },
    { text: `Done: ${hostile}` },
    { text: `{"verdict":"complete","reason":"\\u001b[31m"}` },
  )
  const flags = [model, '--permission-mode', 'auto', '--verbose']
  const prompt = `say \u001b[31m\u202e hi`
  const text = await program.run(['-p', prompt, ...flags])
  const json = await program.run(['-p', prompt, ...flags, '--output-format', 'json'])
  const stream = await program.run(['-p', prompt, ...flags, '--output-format', 'stream-json'])
  expect([text.code, json.code, stream.code]).toEqual([0, 0, 0])
  expectClean({ text: text.stdout, json: json.stdout, stream: stream.stdout, progress: text.stderr })

  const { envelopes, result } = readStream(stream.stdout)
  for (const answer of [readResult(json.stdout).final_answer, result.final_answer]) {
    expect(answer.startsWith(`Done: ${hostile}`)).toBe(true)
  }
  const seen = envelopes.flatMap(({ event }) =>
    event.type === 'observation.recorded' ? [event.observation] : [],
  )
  expect(seen.map(({ input }) => input['path'])).toContain(name)
  expect(seen.find(({ tool }) => tool === 'shell')?.output).toContain('\u001b[31mred\u0007')
  expect(seen.find(({ input }) => input['path'] === name)?.output).toContain('\u001b]8;;http://evil.example')

  const { chat_id } = result
  const show = (...args: string[]) => program.run(['sessions', ...args]).then(({ stdout }) => stdout)
  expectClean({
    list: await show('list'),
    'list as JSON': await show('list', '--output-format', 'json'),
    show: await show('show', chat_id, '--verbose'),
    search: await show('search', 'say'),
    export: await show('export', chat_id),
    'export as JSON': await show('export', chat_id, '--format', 'json'),
  })
})

test('nor does an error', async () => {
  const program = new Program().configure(`agents: "\u009b31m\u202e"\n"\u200b": 1\n`)
  const failing = program.replies({ fails: `broken ${hostile}` })
  const pending = program.replies({ calls: [{ name: 'shell', input: { command: `ls \u001b[31m` } }] })
  const ended = {
    failure: await program.run(['-p', 'hi', failing]),
    pending: await program.run(['-p', 'hi', pending, '--permission-mode', 'ask']),
    config: await program.run(['-p', 'hi']),
    flag: await program.run(['--\u001b[31m\u202e']),
    folder: await program.run(['-p', 'hi', '-C', 'no\u001b[31mwhere']),
    script: await program.run(['-p', 'hi', '-m', 'scripted/no\u001b]0;x\u0007where']),
  }
  expect(Object.values(ended).map(({ code }) => code)).toEqual([1, 54, 52, 2, 42, 42])
  for (const [name, { stdout, stderr }] of Object.entries(ended)) expectClean({ [name]: stdout + stderr })
})
