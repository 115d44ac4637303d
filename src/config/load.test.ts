import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/workbench.ts'
import { loadConfig, parseConfig } from './load.ts'

/** What is wrong with a source, as `line:column: message (suggestion)`. */
function problemsOf(source: string): string[] {
  const loaded = parseConfig('c.yaml', source)
  if (loaded.ok) return []
  return loaded.problems.map(
    ({ line, column, message, suggestion }) =>
      `${line}:${column}: ${message}${suggestion ? ` (${suggestion})` : ''}`,
  )
}

const agent = 'agents:\n  - id: a\n    backend: { type: rehearsal }\n'

test('fills in what a small config leaves out', () => {
  const loaded = parseConfig('c.yaml', agent)
  expect(loaded).toMatchObject({
    ok: true,
    config: {
      agents: [{ id: 'a', backend: { type: 'rehearsal' } }],
      orchestrator: { voting_sensitivity: 'lenient', context_paths: [], max_reminders: 3 },
      timeout_settings: { orchestrator_timeout_seconds: 1800 },
    },
  })
})

test('takes a byte order mark, CRLF and anchors', () => {
  const source = `\ufeffagents:\r\n  - id: a\r\n    backend: &b { type: rehearsal }\r\n  - id: b\r\n    backend: *b\r\n`
  expect(parseConfig('c.yaml', source)).toMatchObject({ ok: true, config: { agents: [{}, { id: 'b' }] } })
})

test('knows backends by the names that MassGen gives them', () => {
  const source = 'agents:\n  - id: a\n    backend: { type: claude, model: x }\n'
  expect(parseConfig('c.yaml', source)).toMatchObject({
    ok: true,
    config: { agents: [{ backend: { type: 'anthropic' } }] },
  })
})

test('reports every problem, in the order of the file, with what was meant', () => {
  const source = `agents:
  - id: "bad id"
    backend: { type: opnai, modle: x }
  - backend: { type: openai_compatible, base_url: ftp://x }
orchestrator:
  max_new_answers_per_agent: -1
  final_answer_strategy: winer_reuse
extra: 1
`
  expect(problemsOf(source)).toEqual([
    expect.stringMatching(/^2:9: agents\.0\.id: must start with a letter.*"bad id"/),
    expect.stringMatching(/^3:22: agents\.0\.backend\.type: .*"opnai".*\(did you mean openai\?\)$/),
    '3:29: agents.0.backend.modle is not a known key (did you mean model?)',
    expect.stringMatching(/^4:5: agents\.1\.id: /),
    expect.stringMatching(/^4:51: agents\.1\.backend\.base_url: /),
    expect.stringMatching(/^6:30: orchestrator\.max_new_answers_per_agent: .*-1/),
    expect.stringMatching(/^7:26: orchestrator\.final_answer_strategy: .*\(did you mean winner_reuse\?\)$/),
    expect.stringMatching(/^8:1: extra is not a known key/),
  ])
})

test('reports syntax errors, repeated keys and repeated ids at their place', () => {
  expect(problemsOf('agents: [')[0]).toMatch(/^1:\d+: Flow sequence/)
  expect(problemsOf(`${agent}agents: []\n`)).toEqual([
    expect.stringMatching(/^4:1: Map keys must be unique: "agents" is here twice/),
  ])
  expect(problemsOf(`${agent}  - id: a\n    backend: { type: rehearsal }\n`)).toEqual([
    '4:9: agents.1.id: "a" is used twice (give each agent its own id)',
  ])
  expect(problemsOf('a: 1\n---\nb: 2\n')[0]).toMatch(/multiple documents/)
})

test('reports a file that is no map', () => {
  for (const source of ['', '# nothing\n', 'hello', '- 1', '42', 'null']) {
    expect(problemsOf(source), JSON.stringify(source)).toEqual([
      expect.stringMatching(/^\d+:\d+: the file: /),
    ])
  }
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('knows no key %s', (key) => {
  const bare = problemsOf(`${agent}${key}: { polluted: true }\n`)
  expect(bare).toEqual([expect.stringContaining(`4:1: ${key} is not a known key`)])
  const nested = problemsOf(
    `agents:\n  - id: a\n    ${key}: {}\n    backend: { type: rehearsal, ${key}: 1 }\n`,
  )
  expect(nested).toHaveLength(2)
  expect({}).not.toHaveProperty('polluted')
})

test('refuses a bomb of anchors and a tower of brackets', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (let depth = 1; depth < 9; depth++) {
    const [before, name] = [String.fromCharCode(96 + depth), String.fromCharCode(97 + depth)]
    bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`)
  }
  expect(problemsOf(bomb.join('\n'))).toEqual([expect.stringMatching(/alias/i)])
  expect(problemsOf('['.repeat(50_000)).length).toBeGreaterThan(0)
  expect(problemsOf(`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`).length).toBeGreaterThan(0)
})

test('says so when the file cannot be read', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'folder.yaml'))
  writeFileSync(join(folder, 'large.yaml'), `${agent}# ${'x'.repeat(1_000_001)}`)
  const problem = (name: string) => {
    const loaded = loadConfig(join(folder, name))
    return loaded.ok ? undefined : loaded.problems[0]?.message
  }
  expect(problem('missing.yaml')).toMatch(/cannot be read: ENOENT/)
  expect(problem('folder.yaml')).toMatch(/cannot be read: EISDIR/)
  expect(problem('large.yaml')).toMatch(/is larger than/)
})

const wrong: [source: string, problem: string][] = [
  ['orchestrator: { skip_voting: yes }', 'expected true or false, found "yes" (did you mean true?)'],
  ['record: off', 'expected true or false, found "off" (did you mean false?)'],
  ['record: 0', 'expected true or false, found 0 (did you mean false?)'],
  ['record: "true"', 'expected true or false, found "true" (did you mean true?)'],
  ['record:', 'expected true or false, found nothing (leave record out (left out, it is false))'],
  [
    'orchestrator: { context_paths: [{ path: a, permission: rw }] }',
    'expected one of read, write, found "rw" (did you mean write?)',
  ],
  [
    'orchestrator: { context_paths: [src:rw] }',
    'expected a map with path, permission, protected_paths, found "src:rw" (did you mean { path: src, permission: write }?)',
  ],
  [
    'orchestrator: { final_answer_strategy: reuse }',
    'expected one of winner_reuse, winner_present, synthesize, found "reuse" (did you mean winner_reuse?)',
  ],
  [
    'orchestrator: { final_answer_strategy: Synthesise }',
    'expected one of winner_reuse, winner_present, synthesize, found "Synthesise" (did you mean synthesize?)',
  ],
  [
    'execution: { sandbox: true }',
    'expected one of auto, required, off, found true (did you mean required?)',
  ],
  [
    'timeout_settings: { orchestrator_timeout_seconds: -5 }',
    'expected a number above 0, found -5 (did you mean 5? (left out, it is 1800))',
  ],
  [
    'timeout_settings: { orchestrator_timeout_seconds: "30" }',
    'expected a number above 0, found "30" (did you mean 30?)',
  ],
  [
    'timeout_settings: { orchestrator_timeout_seconds: 5 min }',
    'expected a number above 0, found "5 min" (did you mean 300?)',
  ],
  [
    'timeout_settings: { initial_round_timeout_seconds: -1 }',
    'expected a number above 0 or null, found -1 (did you mean null, for no limit?)',
  ],
  [
    'orchestrator: { max_new_answers_per_agent: 2.4 }',
    'expected a whole number above 0 or null, found 2.4 (did you mean 2?)',
  ],
  [
    'orchestrator: { budget: { max_tokens: 400k } }',
    'expected a whole number above 0, found "400k" (did you mean 400000?)',
  ],
  [
    'orchestrator: { budget: 2 }',
    'expected a map with max_usd, max_tokens, found 2 (did you mean { max_usd: 2 }?)',
  ],
  [
    'orchestrator: { evidence: npm test }',
    'expected a list, found "npm test" (did you mean [{ name: test, command: "npm test" }]?)',
  ],
  [
    'orchestrator: { interactive_mode: true }',
    'expected a map with enabled, require_approval, backend, append_system_prompt, …, found true (did you mean { enabled: true }?)',
  ],
  ['permissions: { tool: shell }', 'expected a list, found a map (begin each entry of a list with "- ")'],
  [
    'mcp_servers: { s: { url: "localhost:8080/mcp" } }',
    'expected an http or https address, found "localhost:8080/mcp" (did you mean http://localhost:8080/mcp?)',
  ],
  ['mcp_servers: { s: { command: x, env: { A: 1 } } }', 'expected a string, found 1 (put it in quotes: "1")'],
]

test.each(wrong)('says what was meant: %s', (source, problem) => {
  expect(problemsOf(`${agent}${source}\n`)).toEqual([expect.stringMatching(/^\d+:\d+: [\w.]+: /)])
  expect(problemsOf(`${agent}${source}\n`)[0]).toContain(`: ${problem}`)
})

test.each([
  ['gpt-5', '{ type: openai, model: gpt-5 }'],
  ['claude-sonnet-4-5', '{ type: anthropic, model: claude-sonnet-4-5 }'],
  ['ollama/qwen3', '{ type: ollama, model: qwen3 }'],
  ['gemini', '{ type: gemini }'],
])('turns the model name %s into a backend', (name, meant) => {
  expect(problemsOf(`agents:\n  - id: a\n    backend: ${name}\n`)).toEqual([
    expect.stringMatching(/^3:14: agents\.0\.backend: expected a map/),
  ])
  expect(problemsOf(`agents:\n  - id: a\n    backend: ${name}\n`)[0]).toContain(`did you mean ${meant}?`)
})

test.each([
  ['max_new_answers_per_agent: 1', 'it belongs under orchestrator'],
  ['timeout: {}', 'did you mean timeout_settings?'],
  ['filesystem_memory: {}', 'conclave config import'],
  ['mcpServers: {}', 'did you mean mcp_servers?'],
  ['<<: {}', 'merge keys are not taken'],
])('says where the unknown key of %s belongs', (source, advice) => {
  expect(problemsOf(`${agent}${source}\n`)).toEqual([expect.stringContaining(advice)])
})

test('refuses keys with a meaning of their own even where any name may stand', () => {
  expect(problemsOf(`${agent}mcp_servers:\n  __proto__: { command: x }\n`)).toEqual([
    expect.stringContaining('5:3: __proto__ is not a known key'),
  ])
  const env = problemsOf(`${agent}mcp_servers:\n  s: { command: x, env: { constructor: y } }\n`)
  expect(env).toEqual([expect.stringContaining('5:27: constructor is not a known key')])
})

test('shows no key, neither in the problem nor in the line', () => {
  const key = 'sk-0123456789abcdefghijk'
  const source = `agents:\n  - id: ${key}!\n    backend: { type: "${key}", api_key: ${key}, api_key_env: ${key} }\n`
  const loaded = parseConfig('c.yaml', source)
  expect(loaded.ok).toBe(false)
  expect(JSON.stringify(loaded)).not.toContain('0123456789')
  expect(JSON.stringify(loaded)).toContain('api_key_env')
})

test.each([
  ['a tag', 'agents: !include x.yaml\n', /^1:9: Unresolved tag/],
  ['a tab', 'agents:\n\t- id: a\n', /^2:1: Tabs are not allowed.*spaces/],
  ['two documents', 'a: 1\n---\nb: 2\n', /^2:1: Source contains multiple documents/],
  ['keys of keys', `${'? '.repeat(400)}a`, /^1:3: a key must be a word/],
  ['a control character', 'a: "\u0007"\n', /^1:5: holds a control character/],
  ['brackets without end', `a: ${'['.repeat(50_000)}`, /^1:504: is nested more than 500 deep/],
  ['dashes without end', `a: 1\n${'- '.repeat(50_000)}`, /^2:1: is nested/],
  [
    'deep indentation',
    Array.from({ length: 1300 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
    /^501:501: is nested/,
  ],
  ['a flood of commas', `[${','.repeat(900_000)}]`, /^1:\d+: is too much/],
  [
    'a flood of keys',
    Array.from({ length: 50_000 }, (_, n) => `k${n}: 1`).join('\n'),
    /^\d+:\d+: is too much/,
  ],
])('refuses %s where it stands', (_, source, problem) => {
  expect(problemsOf(source)[0]).toMatch(problem)
})
