import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Answer, answers, faultServer, says } from '../support/fault-server.ts'
import { Program, readResult } from '../support/program.ts'
import { temporaryFolder, writeFiles } from '../support/workbench.ts'

const ownConfig = '.config/conclave/config.yaml'

/** A program whose person has written this config for themselves. */
function withConfig(backend: string): Program {
  const program = new Program()
  writeFiles(program.home, { [ownConfig]: `agents:\n  - id: a\n    backend: ${backend}\n` })
  return program
}

const key = 'sk-conclave-test-77c1d0'

/** Says everything it was told, as some servers do when they refuse. */
const echoes: Answer = (response, { headers }) => {
  const message = `refused: ${JSON.stringify(headers)}`
  response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
}

test.each([
  { type: 'openai', variable: 'OPENAI_API_KEY' },
  { type: 'anthropic', variable: 'ANTHROPIC_API_KEY' },
  { type: 'gemini', variable: 'GEMINI_API_KEY' },
  { type: 'xai', variable: 'XAI_API_KEY' },
  { type: 'groq', variable: 'GROQ_API_KEY' },
])('$type: the key is in no output and on no disk when the server repeats it', async ({ type, variable }) => {
  const server = await faultServer(echoes)
  const program = withConfig(`{ type: ${type}, model: m, base_url: "${server.url}" }`)
  const flags = ['--verbose', '--output-format', 'stream-json']
  const { code, stdout, stderr } = await program.run(['-p', 'hi', ...flags], { env: { [variable]: key } })
  expect(JSON.stringify(server.requests.map(({ headers }) => headers))).toContain(key)
  expect({ code, stderr }).toMatchObject({
    code: 41,
    stderr: expect.stringContaining(`the environment variable`),
  })
  expect(stdout).toMatch(/refused: .*\[key\]/)
  expect(stdout + stderr).not.toContain(key)
  expectNowhere(program, key)
})

test('a key in a config is refused without being repeated', async () => {
  for (const [backend, hint] of [
    [`{ type: openai, model: m, api_key: ${key} }`, 'a key is never read from a file'],
    [`{ type: openai, model: m, headers: { x-api-key: ${key} } }`, 'a key is never read from a file'],
    [`{ type: openai, model: m, api_key_env: ${key} }`, 'must be the name of an environment variable'],
  ] as const) {
    const program = withConfig(backend)
    const { code, stdout, stderr } = await program.run(['-p', 'hi'])
    expect({ code, stderr }).toEqual({ code: 52, stderr: expect.stringContaining(hint) })
    expect(stdout + stderr).not.toContain(key)
  }
})

test.each([
  { model: 'openai/gpt-5', variable: 'OPENAI_API_KEY' },
  { model: 'claude/claude-haiku-4-5', variable: 'ANTHROPIC_API_KEY' },
  { model: 'google/gemini-2.5-flash', variable: 'GEMINI_API_KEY or GOOGLE_API_KEY' },
  { model: 'grok/grok-4.7', variable: 'XAI_API_KEY' },
  { model: 'groq/llama', variable: 'GROQ_API_KEY' },
  { model: 'openrouter', variable: 'OPENROUTER_API_KEY' },
])('-m $model without a key ends with 41 and names $variable', async ({ model, variable }) => {
  const program = new Program()
  const { code, stdout, stderr } = await program.run(['-m', model, '-p', 'hi'])
  expect({ code, stdout }).toEqual({ code: 41, stdout: '' })
  expect(stderr).toContain(`no key: the environment variable ${variable}`)
})

test('-m suggests the provider that was meant', async () => {
  const run = (...args: string[]) => new Program().run([...args, '-p', 'hi'])
  expect(await run('-m', 'antropic/x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('did you mean anthropic?'),
  })
  expect(await run('-m', 'zzz/x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('known: anthropic, openai, '),
  })
  expect(await run('-m', 'groq')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('-m groq needs a model'),
  })
})

test('a key from a command reaches the server, and only the server', async () => {
  const server = await faultServer(says('hello'))
  const program = withConfig(
    `{ type: groq, model: m, base_url: "${server.url}", api_key_command: [echo, ${key}] }`,
  )
  const { code, stdout } = await program.run(['-p', 'hi', '--output-format', 'json'])
  expect({ code, answer: readResult(stdout).final_answer }).toEqual({ code: 0, answer: 'hello' })
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
  expectNowhere(
    program,
    key,
    (path) => path.endsWith('config.yaml') || path.includes('/.cache/conclave/config/'),
  )
})

test('what a call cost is told where the price is known, and told to be unknown where it is not', async () => {
  const usage = { choices: [], usage: { prompt_tokens: 1_000, completion_tokens: 100 } }
  const reply: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = { choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] }
    response.end(
      [chunk, usage].map((part) => `data: ${JSON.stringify(part)}\n\n`).join('') + 'data: [DONE]\n\n',
    )
  }
  const cost = async (backend: string) => {
    const server = await faultServer(reply)
    const program = withConfig(backend.replace('URL', server.url))
    const { stdout } = await program.run(['-p', 'hi', '--output-format', 'json'], {
      env: { OPENAI_API_KEY: key },
    })
    return readResult(stdout).usage.cost_usd
  }
  expect(await cost('{ type: openai, api: chat, model: gpt-5-mini, base_url: "URL" }')).toBeCloseTo(0.00045)
  expect(await cost('{ type: openai, api: chat, model: gpt-unheard-of, base_url: "URL" }')).toBeNull()
  expect(await cost('{ type: ollama, model: qwen3, base_url: "URL" }')).toBe(0)
})

test('another model answers when the first one cannot', async () => {
  const busy = await faultServer(answers(503, '{"error":{"message":"overloaded"}}'))
  const spare = await faultServer(says('from the spare'))
  const backend = `{ type: openai_compatible, model: m, base_url: "${busy.url}", fallback: [openai_compatible/spare] }`
  const program = withConfig(backend)
  const env = { OPENAI_BASE_URL: spare.url }
  const { code, stdout } = await program.run(['-p', 'hi', '--output-format', 'json'], { env })
  expect({ code, answer: readResult(stdout).final_answer }).toEqual({ code: 0, answer: 'from the spare' })
  expect(busy.requests.length).toBeGreaterThan(0)
})

test('without a config a key in the environment chooses the model, and the person is told once', async () => {
  const server = await faultServer(answers(401, '{"error":{"message":"no"}}'))
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url.replace('/v1', '') }
  const program = new Program()
  const { code, stderr } = await program.run(['-p', 'hi'], { env })
  expect(code).toBe(41)
  expect(
    stderr.match(/no config: using anthropic\/claude-sonnet-5-5 because ANTHROPIC_API_KEY is set/g),
  ).toHaveLength(1)
  expect(server.requests[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': key } })
  const rehearsed = await program.run(['-m', 'rehearsal', '-p', 'hi'], { env })
  expect(rehearsed).toMatchObject({ code: 0, stderr: expect.not.stringContaining('no config') })
  expect(await new Program().run(['-p', 'hi'])).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('no config'),
  })
  expect(server.requests).toHaveLength(1)
})

test('init writes a config that works, and does not overwrite one', async () => {
  const program = new Program()
  const env = { OPENAI_API_KEY: key, GEMINI_API_KEY: key }
  const file = join(program.home, ownConfig)
  const first = await program.run(['init', '--yes'], { env })
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/1 {2}openai\/.*\n {2}2 {2}gemini\//),
  })
  expect(readFileSync(file, 'utf8')).toMatch(/type: openai\n/)
  expect(await program.run(['config', 'check'], { env })).toMatchObject({ code: 0 })
  expect(await program.run(['init', '--yes'], { env })).toMatchObject({
    code: 52,
    stderr: expect.stringContaining('--force'),
  })
  await program.run(['init', '--force'], { env, stdin: '2, 1\n' })
  expect(readFileSync(file, 'utf8')).toMatch(/type: gemini\n[^]*type: openai\n/)
  expect(await program.run(['init', '--force'], { env, stdin: '9\n' })).toMatchObject({ code: 2 })
  await program.run(['init', '--here', '--yes'], { env })
  expect(existsSync(join(program.folder, 'conclave.yaml'))).toBe(true)
  expectNowhere(program, key)
})

test('doctor says which keys and models there are, without the keys', async () => {
  const { stdout } = await new Program().run(['doctor'], { env: { XAI_API_KEY: key } })
  expect(stdout).toContain('xai: ')
  expect(stdout).toMatch(/keys +xai \(XAI_API_KEY is set\)/)
  expect(stdout).not.toContain(key)
})

test('only the provider that is used is loaded, and none of them on an ordinary start', async () => {
  const hook = join(temporaryFolder(), 'hook.mjs')
  const log = `${hook}.log`
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module'; import { appendFileSync } from 'node:fs'
     registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(log)}, url + '\\n'); return next(url, context) } })`,
  )
  const loaded = async (args: string[], env: Record<string, string> = {}) => {
    writeFileSync(log, '')
    await new Program().run(args, { env: { ...env, NODE_OPTIONS: `--import=${hook}` } })
    const files = readFileSync(log, 'utf8')
      .split('\n')
      .filter((url) => url.includes('/dist/'))
    expect(files.length).toBeGreaterThan(3)
    return files.filter((url) => readFileSync(new URL(url), 'utf8').includes('@ai-sdk/')).length
  }
  expect(await loaded(['-m', 'rehearsal', '-p', 'hi'])).toBe(0)
  expect(await loaded(['-m', 'ollama/qwen3', '-p', 'hi'])).toBe(0)
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
  expect(await loaded(['-m', 'anthropic/x', '-p', 'hi'], env)).toBeGreaterThan(0)
}, 60_000)

function expectNowhere(
  program: Program,
  secret: string,
  except: (path: string) => boolean = () => false,
): void {
  for (const folder of [program.home, program.folder]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || except(path)) continue
      expect(readFileSync(path).includes(secret), path).toBe(false)
    }
  }
}
