import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Envelope } from '../../src/schema/envelope.ts'
import { Program, readResult } from '../support/program.ts'

/** Two chats in the folder of the program, oldest first. */
async function twoChats(): Promise<{ program: Program; model: string; ids: [string, string] }> {
  const program = new Program()
  const model = program.replies({ text: 'first answer' }, { text: 'second answer' })
  const chat = async (prompt: string): Promise<string> =>
    readResult((await program.run(['-p', prompt, model, '--output-format', 'json'])).stdout).chat_id
  return { program, model, ids: [await chat('about cats'), await chat('about dogs')] }
}

test('-c goes on with the latest chat of the folder, -r with any', async () => {
  const { program, model, ids } = await twoChats()
  const answer = async (...args: string[]) => {
    const { stdout } = await program.run([...args, model, '--output-format', 'json'])
    const { chat_id, final_answer } = readResult(stdout)
    return { chat_id, final_answer }
  }
  expect(await answer('-c', '-p', 'more')).toEqual({ chat_id: ids[1], final_answer: 'second answer' })
  for (const name of [ids[0], ids[0].slice('chat_'.length, -1), ids[0].slice(-8)]) {
    expect(await answer('-r', name, '-p', 'more')).toEqual({ chat_id: ids[0], final_answer: 'second answer' })
  }
})

test('-r says so when nothing fits, or more than one', async () => {
  const { program, model, ids } = await twoChats()
  const shared = commonStart(ids[0], ids[1])
  const ambiguous = await program.run(['-r', shared, '-p', 'more', model])
  expect(ambiguous).toEqual({
    code: 42,
    stdout: '',
    stderr: `conclave: "${shared}" fits 2 chats; give more of the id\n`,
  })
  for (const name of ['nothing-like-it', 'chat_']) {
    const unknown = await program.run(['-r', name, '-p', 'more', model])
    const stderr = `conclave: there is no chat "${name}"; conclave sessions list shows all\n`
    expect(unknown).toEqual({ code: 42, stdout: '', stderr })
  }
  const elsewhere = await program.run(['-c', '-p', 'more', '-C', program.home, model])
  expect(elsewhere).toMatchObject({ code: 42, stderr: expect.stringContaining('there is no chat in') })
})

test('--fork goes on in a copy and leaves the chat as it was', async () => {
  const { program, model, ids } = await twoChats()
  const forked = await program.run(['-r', ids[0], '--fork', '-p', 'more', model, '--output-format', 'json'])
  const { chat_id, final_answer } = readResult(forked.stdout)
  expect(final_answer).toBe('second answer')
  expect(ids).not.toContain(chat_id)
  const copy = (await program.run(['sessions', 'show', chat_id])).stdout
  for (const text of ['about cats', 'first answer', 'more', 'second answer']) expect(copy).toContain(text)
  expect((await program.run(['sessions', 'show', ids[0]])).stdout).not.toContain('second answer')
  const alone = await program.run(['--fork', '-p', 'more', model])
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--fork needs -c or -r') })
  const empty = await program.run(['-c', '--fork', '-p', '', model])
  expect(empty).toMatchObject({ code: 42, stderr: expect.stringContaining('a fork needs a prompt') })
})

test('-C works in another folder, and finds its chats by either name of it', async () => {
  const program = new Program()
  const model = program.replies({ text: 'one' }, { text: 'two' })
  const other = join(program.home, 'other')
  mkdirSync(other)
  symlinkSync(other, join(program.home, 'link'))
  const linked = await program.run([
    ...['-p', 'hi', model, '-C', join(program.home, 'link')],
    ...['--output-format', 'json'],
  ])
  expect(readResult(linked.stdout).workspace_path).toBe(other)
  const direct = await program.run(['-p', 'again', '-c', model, '-C', '../home/other'])
  expect(direct).toEqual({ code: 0, stdout: 'two\n', stderr: '' })
})

test('sessions list names every chat, newest first, also as JSON', async () => {
  const { program, ids } = await twoChats()
  const { stdout } = await program.run(['sessions', 'list'])
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${ids[1]}  .*complete.*about dogs`)),
    expect.stringMatching(new RegExp(`^${ids[0]}  .*complete.*about cats`)),
  ])
  expect((await program.run(['sessions'])).stdout).toBe(stdout)
  const json = await program.run(['sessions', 'list', '--output-format', 'json'])
  expect(JSON.parse(json.stdout)).toEqual([
    expect.objectContaining({ stream: ids[1], title: 'about dogs', folder: program.folder }),
    expect.objectContaining({ stream: ids[0] }),
  ])
  expect((await new Program().run(['sessions', 'list'])).stdout).toBe('No chats yet.\n')
})

test('sessions show and export tell what was said', async () => {
  const { program, ids } = await twoChats()
  const shown = (await program.run(['sessions', 'show', ids[0]])).stdout
  expect(shown).toMatch(/^# about cats\n[\s\S]*## You\n\nabout cats\n\n## agent\n\nfirst answer\n/)
  const markdown = (await program.run(['sessions', 'export', ids[0]])).stdout
  expect(markdown).toContain('first answer')
  const json = (await program.run(['sessions', 'export', ids[0], '--format', 'json'])).stdout
  const envelopes = json
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Envelope)
  expect(envelopes[0]).toMatchObject({ stream: ids[0], seq: 1, event: { type: 'chat.created' } })
  expect(envelopes.map(({ event }) => event.type)).toContain('turn.finished')
})

test('sessions search finds words and takes none of them for syntax', async () => {
  const { program, ids } = await twoChats()
  expect((await program.run(['sessions', 'search', 'about', 'cat'])).stdout).toMatch(
    new RegExp(`^${ids[0]}  about cats\n`),
  )
  for (const words of [['"'], ['NEAR(', 'OR'], ['*'], ['--', '-x"); DROP']]) {
    const found = await program.run(['sessions', 'search', ...words])
    expect(found).toEqual({ code: 0, stdout: 'Nothing found.\n', stderr: '' })
  }
  expect((await program.run(['sessions', 'search'])).code).toBe(2)
})

test('sessions rm removes what it names, all or nothing', async () => {
  const { program, ids } = await twoChats()
  const wrong = await program.run(['sessions', 'rm', ids[0], 'nothing-like-it'])
  expect(wrong).toMatchObject({ code: 42, stdout: '' })
  const removed = await program.run(['sessions', 'rm', ids[0], ids[0].slice(-8)])
  expect(removed).toEqual({ code: 0, stdout: `removed ${ids[0]}\n`, stderr: '' })
  expect((await program.run(['sessions', 'list'])).stdout).not.toContain(ids[0])
  expect((await program.run(['sessions', 'show', ids[0]])).code).toBe(42)
})

test.each(['constructor', '__proto__', 'lst'])('sessions %s is no command', async (word) => {
  const { code, stderr } = await new Program().run(['sessions', word])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(new RegExp(`^conclave: conclave sessions list.*, not "${word}"`)),
  })
})

function commonStart(a: string, b: string): string {
  let length = 0
  while (a[length] === b[length]) length++
  return a.slice(0, length)
}
