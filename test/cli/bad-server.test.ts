import { expect, test } from 'vitest'
import { neutralize } from '../../src/view/neutralize.ts'
import { type Answer, answers, breaksOff, delta, faultServer } from '../support/fault-server.ts'
import { Program, readResult, serverConfig } from '../support/program.ts'

/** What a person sees of a server that answers like this. */
async function ask(answer: Answer) {
  const { url } = await faultServer(answer)
  const program = new Program().configure(serverConfig(url))
  const { code, stdout, stderr } = await program.run(['-p', 'hi', '--output-format', 'json'])
  expect(stderr).not.toMatch(/^\s+at |node:internal/m)
  const { status, error = '' } = readResult(stdout)
  // Why it failed is in the result and on stderr; stderr also says what to do.
  expect(stderr).toContain(`conclave: ${neutralize(error)}\n`)
  return { code, status, error, hint: stderr.trimEnd().split('\n').slice(1).join('\n') }
}

/** Longer than anybody waits. */
const later = { 'retry-after': '86400' }
const failed = (error: RegExp, hint: RegExp, code = 1) => ({
  code,
  status: 'failed',
  error: expect.stringMatching(error),
  hint: expect.stringMatching(hint),
})

test.each([
  [401, failed(/answered 401: bad key$/, /check the key in the environment variable/, 41)],
  [404, failed(/answered 404: bad key$/, /check base_url and the model name/)],
  [429, failed(/answered 429: bad key$/, /wait/)],
  [500, failed(/answered 500: bad key$/, /^/)],
])('a server that answers %i', async (status, expected) => {
  expect(await ask(answers(status, '{"error":{"message":"bad key"}}', later))).toEqual(expected)
})

test('servers that answer nonsense or break off', async () => {
  const html = { 'content-type': 'text/html' }
  const outcomes = await Promise.all([
    ask(answers(200, '<html>Welcome</html>', html)),
    ask(answers(502, '<html>\u001b[31mBad gateway</html>', { ...html, ...later })),
    ask(answers(200, '{"choices": [')),
    ask(answers(200, '{"hello": "world"}')),
    ask(breaksOff(delta({ content: 'half an ans' }))),
    ask(breaksOff('data: {"choices": [{"del')),
  ])
  expect(outcomes).toEqual([
    failed(/answered with a web page/, /check base_url/),
    failed(/answered 502: <html>/, /^/),
    failed(/sent something that is no reply/, /check base_url/),
    failed(/broke off in the middle of its reply/, /^/),
    failed(/connection to .* failed|broke off/, /^/),
    failed(/connection to .* failed|broke off/, /^/),
  ])
})

test('a server that is not there', async () => {
  const program = new Program().configure(serverConfig('http://127.0.0.1:1/v1'))
  const { code, stderr } = await program.run(['-p', 'hi'])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^conclave: nothing answers at http:\/\/127\.0\.0\.1:1\/v1\/chat\/completions\nis the server running, and base_url right\?\n$/,
    ),
  })
  expect((await program.run(['sessions', 'list'])).stdout).toMatch(/failed\s+hi/)
})

test('a key variable that is not set, before anything is sent or stored', async () => {
  const server = await faultServer(answers(200, '{}'))
  const config = serverConfig(server.url, ', api_key_env: CONCLAVE_TEST_KEY')
  const program = new Program().configure(config)
  for (const value of [undefined, '', ' \n']) {
    const env: Record<string, string> = value === undefined ? {} : { CONCLAVE_TEST_KEY: value }
    const { code, stdout, stderr } = await program.run(['-p', 'hi'], { env })
    expect({ code, stdout }).toEqual({ code: 41, stdout: '' })
    expect(stderr).toMatch(/^conclave: .*CONCLAVE_TEST_KEY is not set/)
  }
  expect(server.requests).toEqual([])
  expect((await program.run(['sessions', 'list'])).stdout).toBe('No chats yet.\n')
})

test('an address in the environment that is none', async () => {
  const env = { OPENAI_BASE_URL: 'not an address' }
  const { code, stderr } = await new Program().run(['-p', 'hi', '-m', 'openai_compatible/m'], { env })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('OPENAI_BASE_URL') })
})
