import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { providers } from '../../../schema/providers.ts'
import { findKey } from './find-key.ts'

const { gemini, ollama } = providers
const failure = (message: string) => ({ failure: expect.objectContaining({ kind: 'credentials', message }) })

test('takes the variable that is named, or the first usual one that is set', async () => {
  expect(await findKey({}, gemini, { GOOGLE_API_KEY: ' k1 \n' })).toEqual({
    key: 'k1',
    from: 'the environment variable GOOGLE_API_KEY',
  })
  expect(await findKey({}, gemini, { GOOGLE_API_KEY: 'k1', GEMINI_API_KEY: 'k2' })).toMatchObject({
    key: 'k2',
  })
  expect(await findKey({ api_key_env: 'MINE' }, gemini, { MINE: 'k3', GEMINI_API_KEY: 'k2' })).toMatchObject({
    key: 'k3',
  })
})

test('names the variables that are missing', async () => {
  const missing = failure('no key: the environment variable MINE is not set')
  expect(await findKey({ api_key_env: 'MINE' }, gemini, { GEMINI_API_KEY: 'k' })).toEqual(missing)
  expect(await findKey({}, gemini, { GEMINI_API_KEY: ' ' })).toEqual(
    failure(
      'no key: the environment variable GEMINI_API_KEY or GOOGLE_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY is not set',
    ),
  )
  expect(await findKey({ api_key_env: 'toString' }, gemini, {})).toHaveProperty('failure')
})

test('a local server needs no key', async () => {
  expect(await findKey({}, ollama, {})).toEqual({})
})

test('runs a command for the key: once, without a shell, and without the keys of others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const seen = join(folder, 'seen')
  const script = `require('fs').appendFileSync(process.argv[1], JSON.stringify(process.env)); console.log(' sk-1 ')`
  const api_key_command = [process.execPath, '-e', script, seen]
  const environment = { OPENAI_API_KEY: 'sk-other', GPG_TTY: '/dev/tty0' }
  const found = { key: 'sk-1', from: `the command ${process.execPath}` }
  expect(await findKey({ api_key_command }, gemini, environment)).toEqual(found)
  expect(await findKey({ api_key_command }, gemini, environment)).toEqual(found)
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual(
    expect.not.objectContaining({ OPENAI_API_KEY: 'sk-other' }),
  )
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toMatchObject({ GPG_TTY: '/dev/tty0' })
})

test.each([
  { command: [process.execPath, '-e', 'process.exit(3)'], what: 'failed with exit code 3' },
  { command: [process.execPath, '-e', ''], what: 'printed nothing' },
  { command: [process.execPath, '-e', 'console.log("a key: x")'], what: 'printed more than a key' },
  { command: ['/no/such/program'], what: 'cannot be run: spawn /no/such/program ENOENT' },
])('says when a command $what, and nothing of what it printed', async ({ command, what }) => {
  const found = await findKey({ api_key_command: command }, gemini, {})
  expect(found).toEqual(failure(`no key: the command ${command[0]} ${what}`))
})
