import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { Program } from '../support/program.ts'

test('a data folder that cannot be written', async () => {
  const program = new Program()
  const locked = join(program.home, 'locked')
  mkdirSync(locked, { mode: 0o500 })
  onTestFinished(() => chmodSync(locked, 0o700))
  const args = ['-p', 'hi', program.replies({ text: 'ok' }), '--data-dir', locked]
  const { code, stdout, stderr } = await program.run(args, { unprivileged: true })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^conclave: .*locked\/journal\.db cannot be used: EACCES[^\n]*\n.*--data-dir\.\n$/)
})

test('a data folder that is a file', async () => {
  const program = new Program({ file: '' })
  const args = ['-p', 'hi', program.replies({ text: 'ok' }), '--data-dir', 'file']
  const { code, stderr } = await program.run(args)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/journal\.db cannot be used/) })
})

test('a journal that is no database is reported and left alone', async () => {
  const program = new Program()
  const notes = 'these are notes of mine, '.repeat(100)
  mkdirSync(dirname(program.journal), { recursive: true })
  writeFileSync(program.journal, notes)
  const says = /journal\.db is damaged: file is not a database/
  for (const args of [
    ['-p', 'hi', program.replies({ text: 'ok' })],
    ['sessions', 'list'],
  ]) {
    const { code, stdout, stderr } = await program.run(args)
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(says) })
    expect(stderr).toMatch(/\nRestore the file from a backup, or move it away/)
  }
  const { code, stdout } = await program.run(['doctor'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/✖ storage .* is damaged/) })
  expect(readFileSync(program.journal, 'utf8')).toBe(notes)
})

test('a journal from a newer version', async () => {
  const program = new Program()
  const model = program.replies({ text: 'ok' })
  await program.run(['-p', 'hi', model])
  const database = new DatabaseSync(program.journal)
  database.exec('PRAGMA user_version = 99')
  database.close()
  const { code, stdout, stderr } = await program.run(['-p', 'hi', model])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/journal\.db was written by a newer version of conclave.*\nUpdate conclave/)
})

test('a chat that another process has open', async () => {
  const program = new Program()
  const slow = program.replies({ text: 'slow', delay_ms: 600_000 })
  const running = program.start(['-p', 'hi', slow, '--verbose'])
  await running.until(() => running.stderr.includes('Planning'))
  const { code, stderr } = await program.run(['-c', '-p', 'me too', slow])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^conclave: chat_\w+ is open in process \d+; close it there, or fork the chat\n$/,
    ),
  })
  const removing = await program.run(['sessions', 'rm', 'chat_1'])
  expect(removing).toMatchObject({ code: 1, stderr: expect.stringContaining('is working on it') })
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(130)
})
